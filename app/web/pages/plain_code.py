"""Templates in plain Python: what Jinja writes for machines of any kind is written as one would by hand."""

import re
from collections.abc import Callable, Iterable
from keyword import iskeyword
from typing import Any, cast

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.idtracking import VAR_LOAD_ALIAS, VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE

from snug.words import ENGLISH

_INHERITED = "parent_template.root_render_func(context)"
_IS_THERE = "set"
_PARAMETER = re.compile(r"%\((\w+)\)s")


class PlainCode(CodeGenerator):
    """Writes a template as one would by hand: calls, attributes and what is the same for all templates as Python has
    them, pieces put into a list. Jinja would look at every function again each time it is called, to see whether it
    wants to be given more than its parameters; ask for an attribute by way of the environment; look up each name in
    the context; and hand every piece through all the generators of what includes it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._constants: dict[str, Callable[..., str]] = {}

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802 - its name
        """Writes the call."""
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        is_usual = not (node.dyn_args or node.dyn_kwargs or any(iskeyword(one.key) for one in node.kwargs))
        if hasattr(self.environment.globals.get(name), "jinja_pass_arg") or not is_usual:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            self.visit(argument, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802
        """Writes the attribute."""
        if isinstance(node.node, nodes.Name) and node.node.name == "self":  # which has blocks
            super().visit_Getattr(node, frame)
        else:
            self.visit(node.node, frame)
            self.write(f".{node.attr}")

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:  # noqa: N802
        """Writes the test. A name or an attribute of which is asked whether it is there is looked for."""
        if node.name == "defined" and isinstance(node.node, nodes.Name):
            ref = frame.symbols.ref(node.node.name)
            load = frame.symbols.find_load(ref)
            if load and load[0] == VAR_LOAD_RESOLVE:
                self.write("True" if self._is_everywhere(load) else f"({ref} is not absent({node.node.name!r}))")
                return
        if node.name == "defined" and isinstance(node.node, nodes.Getattr):
            name = nodes.Const(node.node.attr, lineno=node.lineno)
            node.node = nodes.Getitem(node.node.node, name, "load", lineno=node.lineno)
            node.set_environment(self.environment)
        super().visit_Test(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802
        """Writes the name. What was looked for is there, if only to say that it is absent."""
        ref = frame.symbols.ref(node.name)
        load = frame.symbols.find_load(ref)
        while load and load[0] == VAR_LOAD_ALIAS:
            load = frame.symbols.find_load(str(load[1]))
        if node.ctx == "load" and load and load[0] in (VAR_LOAD_RESOLVE, _IS_THERE):
            self.write(ref)
        else:
            super().visit_Name(node, frame)

    def _is_there(self, frame: Frame, names: Iterable[str]) -> None:
        """From here on the template has these names, unless it set them in a branch."""
        if frame.rootlevel:
            frame.symbols.loads.update({frame.symbols.ref(name): (_IS_THERE, None) for name in names})

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        """Writes that a name is set."""
        super().visit_Assign(node, frame)
        if isinstance(node.target, nodes.Name):
            self._is_there(frame, [node.target.name])

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:  # noqa: N802
        """Writes a macro."""
        super().visit_Macro(node, frame)
        self._is_there(frame, [node.name])

    def visit_Import(self, node: nodes.Import, frame: Frame) -> None:  # noqa: N802
        """Writes under which name all of another template is known."""
        super().visit_Import(node, frame)
        self._is_there(frame, [node.target])

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802
        """Writes that something comes here, a sentence as its words and what stands between them."""
        node.nodes = [piece for one in node.nodes for piece in self._pieces(one, frame)]
        super().visit_Output(node, frame)

    def _pieces(self, node: nodes.Expr, frame: Frame) -> list[nodes.Expr]:
        match node:
            case nodes.Call(node=nodes.Name(name="_"), args=[nodes.Const(value=str() as msgid)], dyn_kwargs=None) if (
                self._is_everywhere(frame.symbols.find_load(frame.symbols.ref("_")))
            ):
                text = getattr(self.environment, "words", ENGLISH).gettext(msgid)
                values = {one.key: one.value for one in node.kwargs}
                words = _PARAMETER.split(text)
                asked = words[1::2]
                is_plain = "%" not in "".join(words[::2]) and len(set(asked)) == len(asked)
                if is_plain and values.keys() >= set(asked):
                    pieces: list[nodes.Expr] = [nodes.TemplateData(text, lineno=node.lineno) for text in words]
                    pieces[1::2] = [values[name] for name in asked]
                    return pieces
        return [node]

    def _is_everywhere(self, load: tuple[str, str | None] | None) -> bool:
        return load is not None and load[0] == VAR_LOAD_RESOLVE and load[1] in self.environment.globals

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        """What is written whatever the page is about: where a part begins, a picture by its name."""
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            constant = self._constant(node.node.name, frame)
            if constant and not (node.kwargs or node.dyn_args or node.dyn_kwargs):
                return constant(*[one.as_const(frame.eval_ctx) for one in node.args])
        return super()._output_child_to_const(node, frame, finalize)

    def _constant(self, name: str, frame: Frame) -> Callable[..., str] | None:
        load = frame.symbols.find_load(frame.symbols.ref(name))
        if load and load[0] == VAR_LOAD_PARAMETER:
            return None
        if name in self._constants:
            return self._constants[name]
        thing = self.environment.globals.get(name)
        return cast("Callable[..., str]", thing) if getattr(thing, "is_constant", False) else None

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:  # noqa: N802
        """Writes what is imported."""
        super().visit_FromImport(node, frame)
        if isinstance(node.template, nodes.Const) and not node.with_context:
            macros = self.environment.get_template(node.template.value)._get_default_module()
            same = getattr(macros, "same_again", ())
            names = [(name, name) if isinstance(name, str) else name for name in node.names]
            self._constants.update({alias: getattr(macros, name) for name, alias in names if name in same})
        self._is_there(frame, [name if isinstance(name, str) else name[1] for name in node.names])

    def write_commons(self) -> None:
        """Writes how every function begins."""
        super().write_commons()
        self.writeline("out = []")

    def writeline(self, x: str, node: nodes.Node | None = None, extra: int = 0) -> None:
        """Writes a line, but nothing of generators."""
        if x == "if 0: yield None":
            return
        if x.endswith(_INHERITED):
            x = f"return {_INHERITED}"
        if x == "resolve = context.resolve_or_missing":
            x = "known = context.parent"
        super().writeline(x, node, extra)

    def enter_frame(self, frame: Frame) -> None:
        """Writes where the names in a frame come from."""
        frame.buffer = frame.buffer or "out"
        loads = frame.symbols.loads
        resolved = {target: load for target, load in loads.items() if load[0] == VAR_LOAD_RESOLVE}
        for target, load in resolved.items():
            self.writeline(
                f"{target} = " + (f"of_all_{load[1]}" if self._is_everywhere(load) else f"known[{load[1]!r}]")
            )
        frame.symbols.loads = {target: load for target, load in loads.items() if target not in resolved}
        super().enter_frame(frame)
        frame.symbols.loads = loads

    def leave_frame(self, frame: Frame, with_python_scope: bool = False) -> None:
        """Writes the end of a frame."""
        super().leave_frame(frame, with_python_scope)
        if frame.block_frame or (frame.rootlevel and not self.has_known_extends):
            self.writeline("return out")

    def visit_Block(self, node: nodes.Block, frame: Frame) -> None:  # noqa: N802
        """Writes that a block comes here."""
        if not (frame.toplevel and self.has_known_extends):
            self.writeline(f"{frame.buffer}.extend(context.blocks[{node.name!r}][0](context))", node)

    def visit_Include(self, node: nodes.Include, frame: Frame) -> None:  # noqa: N802
        """Writes that another template comes here."""
        self.writeline("template = template_of(", node)
        self.visit(node.template, frame)
        self.write(f", {node.ignore_missing})")
        loads = [frame.symbols.find_load(ref) for ref in frame.symbols.dump_stores().values()]
        own = self.dump_local_context(frame)
        more = own if all(load and load[0] == _IS_THERE for load in loads) else f"present({own})"
        self.writeline(f"if template: {frame.buffer}.extend(included(template, context, {more}))")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context:
            super()._import_common(node, frame)
            return
        self.write("macros_of(")
        self.visit(node.template, frame)
        self.write(")")
