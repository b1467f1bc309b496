"""How templates are compiled: escaped, strict, and once for every language, with its words in the place of ours."""

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from functools import cache, lru_cache
from gettext import NullTranslations
from keyword import iskeyword
from typing import Any, cast

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.idtracking import VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from app.web.pages.charts import in_figures
from snug.engine.cards import Card
from snug.words import (
    ENGLISH,
    as_markup,
    capital,
    figures,
    gettext,
    gettext_noop,
    html,
    html_in_context,
    html_of_several,
    language,
    listed,
    on_page,
    reader,
)

_MOST_PIECES = 2000
_INHERITED = "parent_template.root_render_func(context)"
_PLAIN = ("variable_begin", "name", "lparen", "string", "rparen", "variable_end")


class Wording(Extension):
    """Puts the words of the reader's language where a template says `{{ _("Your hand") }}`, when it is compiled: they
    are a third of a page."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """The same tokens, with sentences that have no parameters as text."""
        words: NullTranslations = getattr(self.environment, "words", ENGLISH)
        tokens = list(stream)
        at = 0
        while at < len(tokens):
            six = tokens[at : at + len(_PLAIN)]
            if tuple(token.type for token in six) == _PLAIN and six[1].value == "_":
                yield Token(six[0].lineno, "data", words.gettext(six[3].value) % {})
                at += len(_PLAIN)
            else:
                yield tokens[at]
                at += 1


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
                self.write("True" if self._is_everywhere(load) else f"({ref} is not missing)")
                return
        if node.name == "defined" and isinstance(node.node, nodes.Getattr):
            name = nodes.Const(node.node.attr, lineno=node.lineno)
            node.node = nodes.Getitem(node.node.node, name, "load", lineno=node.lineno)
            node.set_environment(self.environment)
        super().visit_Test(node, frame)

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:  # noqa: N802
        """Writes the name; what all templates have is there."""
        ref = frame.symbols.ref(node.name)
        if node.ctx == "load" and self._is_everywhere(frame.symbols.find_load(ref)):
            self.write(ref)
        else:
            super().visit_Name(node, frame)

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
        super().writeline(x, node, extra)

    def enter_frame(self, frame: Frame) -> None:
        """Writes where the names in a frame come from."""
        frame.buffer = frame.buffer or "out"
        loads = frame.symbols.loads
        everywhere = {target: load for target, load in loads.items() if self._is_everywhere(load)}
        for target, (_, name) in everywhere.items():
            self.writeline(f"{target} = of_all_{name}")
        frame.symbols.loads = {target: load for target, load in loads.items() if target not in everywhere}
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
        more = self.dump_local_context(frame)
        self.writeline(f"if template: {frame.buffer}.extend(included(template, context, {more}))")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Frame) -> None:
        if node.with_context:
            super()._import_common(node, frame)
            return
        self.write("macros_of(")
        self.visit(node.template, frame)
        self.write(")")


class PlainMacro(Macro):
    """A macro that goes straight to its body when it is called with a value for each of its parameters."""

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """What it says, as markup."""
        if kwargs or len(args) != self._argument_count or self.caller or self.catch_kwargs or self.catch_varargs:
            return super().__call__(*args, **kwargs)
        return as_markup(self._func(*args))


def _included(template: jinja2.Template, context: Context, more: dict[str, Any]) -> Iterable[str]:
    """The pieces of a template that is a part of another one, in which there is `more`."""
    return template.root_render_func(template.new_context(context.get_all(), True, more))


class Environment(jinja2.Environment):
    """An environment whose templates have no globals but its own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals themselves: Jinja would chain them to nothing, a page for every include."""
        return super().make_globals(d) if d else self.globals


class Template(jinja2.Template):
    """A template whose macros are made once, whoever imports it: what all templates count on is the environment's. Of
    those that it names in `same_again` a piece is drawn once: what they say depends on their parameters alone."""

    @classmethod
    def from_code(cls, environment: jinja2.Environment, *args: Any, **kwargs: Any) -> jinja2.Template:
        """The template of compiled code, which uses what is plain here."""
        template = super().from_code(environment, *args, **kwargs)

        @cache
        def template_of(name: str, may_be_missing: bool) -> jinja2.Template | None:
            try:
                return environment.get_template(name)
            except jinja2.TemplateNotFound:
                if may_be_missing:
                    return None
                raise

        @cache
        def macros_of(name: str) -> TemplateModule:
            return environment.get_template(name)._get_default_module()

        known = template.root_render_func.__globals__
        known.update({f"of_all_{name}": thing for name, thing in environment.globals.items()})
        known.update(Macro=PlainMacro, escape=on_page, template_of=template_of, macros_of=macros_of, included=_included)
        return template

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:  # noqa: ARG002 - Jinja asks so
        if self._module is None:
            module = self.make_module()
            for name in getattr(module, "same_again", ()):
                setattr(module, name, lru_cache(_MOST_PIECES, typed=True)(getattr(module, name)))
            self._module = module
        return self._module


def _listed(items: Sequence[str], either: bool = False) -> str:
    """A list of names, sentences or markup; of words alone it can be said in any form."""
    is_markup = any(isinstance(item, Markup) for item in items)
    return listed(items, either=either, word=html if is_markup else gettext)


def _aloud(cards: Sequence[Card]) -> str:
    """Cards within a sentence, for the ear."""
    return listed([card.spoken for card in cards])


def environment_with(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """An environment for templates from there."""
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", Wording],
    )
    environment.template_class = Template
    environment.code_generator_class = PlainCode
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]  # set by the extension
    environment.globals.update(_=html, gettext=html, ngettext=html_of_several, N_=gettext_noop, language=language)
    environment.globals.update(pgettext=html_in_context, figures=figures)
    environment.filters.update(capital=capital, in_figures=in_figures, listed=_listed, aloud=_aloud)
    return environment


def in_readers_language(environment: jinja2.Environment) -> jinja2.Environment:
    """The environment whose templates are compiled for whoever reads now."""
    words = reader()
    if words is ENGLISH:
        return environment
    overlays: dict[jinja2.Environment, jinja2.Environment] = words.__dict__.setdefault("_environments", {})
    if environment not in overlays:
        overlays[environment] = overlay = environment.overlay(cache_size=-1)
        overlay.words = words  # type: ignore[attr-defined]  # for the extension
    return overlays[environment]
