"""How templates are compiled: escaped, strict, and once for every language, with its words in the place of ours."""

from collections.abc import Iterable, MutableMapping
from functools import lru_cache, partial
from gettext import NullTranslations
from keyword import iskeyword
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from snug.words import ENGLISH, capital, gettext_noop, html, html_of_several, language, listed, reader

_MOST_PIECES = 2000
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
    """Writes a call as Python does. Jinja would look at every function again each time it is called, to see whether it
    wants to be given more than its parameters; of ours only some of the environment's do."""

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


class PlainMacro(Macro):
    """A macro that goes straight to its body when it is called with a value for each of its parameters."""

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """What it says, as markup."""
        if kwargs or len(args) != self._argument_count or self.caller or self.catch_kwargs or self.catch_varargs:
            return super().__call__(*args, **kwargs)
        return Markup(self._func(*args))


def text_of(value: Any) -> str:
    """A value as a page writes it: markup as it is, anything else escaped."""
    if isinstance(value, Markup):
        return value
    return str(value) if type(value) is int else escape(value)


class Environment(jinja2.Environment):
    """An environment whose templates have no globals but its own."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals themselves: Jinja would chain them to nothing, a page for every include."""
        return super().make_globals(d) if d else self.globals


class Template(jinja2.Template):
    """A template whose macros are made once, whoever imports it: what all templates count on is the environment's. Of
    those that it names in `same_again` a piece is drawn once: what they say depends on their parameters alone."""

    @classmethod
    def from_code(cls, *args: Any, **kwargs: Any) -> jinja2.Template:
        """The template of compiled code, which uses what is plain here."""
        template = super().from_code(*args, **kwargs)
        template.root_render_func.__globals__.update(Macro=PlainMacro, escape=text_of)
        return template

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:  # noqa: ARG002 - Jinja asks so
        if self._module is None:
            module = self.make_module()
            for name in getattr(module, "same_again", ()):
                setattr(module, name, lru_cache(_MOST_PIECES, typed=True)(getattr(module, name)))
            self._module = module
        return self._module


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
    environment.filters.update(capital=capital, listed=partial(listed, word=html))
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
