"""How templates are compiled: escaped, strict, and once for every language, with its words in the place of ours."""

from collections.abc import Iterable, MutableMapping, Sequence
from functools import cache, lru_cache
from gettext import NullTranslations
from typing import Any

import jinja2
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from markupsafe import Markup

from app.web.pages.charts import in_figures
from app.web.pages.plain_code import PlainCode
from snug.engine.cards import Card
from snug.words import (
    ENGLISH,
    Message,
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
_MARKUP = frozenset({Markup, Message})
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


class PlainMacro(Macro):
    """A macro that goes straight to its body."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._is_plain = not (self.caller or self.catch_kwargs or self.catch_varargs)

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """What it says, as markup."""
        if self._is_plain and len(args) == self._argument_count and not kwargs:
            return as_markup(self._func(*args))
        rest = self.arguments[len(args) :]
        if self._is_plain and len(args) < self._argument_count and kwargs.keys() <= set(rest):
            return as_markup(self._func(*args, *[kwargs.get(name, missing) for name in rest]))
        return super().__call__(*args, **kwargs)


@cache
def absent(name: str) -> jinja2.StrictUndefined:
    """What stands for a name that a template is not given."""
    return jinja2.StrictUndefined(name=name)


class _Known(dict[str, Any]):
    __missing__ = staticmethod(absent)


class PlainContext(Context):
    """What a template knows, in one place: what it is given and what it sets."""

    def __init__(self, environment: jinja2.Environment, parent: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(environment, _Known(parent), *args, **kwargs)
        self.vars = self.parent


def _included(template: jinja2.Template, context: Context, more: dict[str, Any]) -> Iterable[str]:
    """The pieces of a template that is a part of another one, in which there is `more`."""
    known = {**context.parent, **more}
    return template.root_render_func(PlainContext(template.environment, known, template.name, template.blocks))


def _present(names: dict[str, Any]) -> dict[str, Any]:
    """Those of the names that a template has set."""
    return {name: value for name, value in names.items() if value is not missing}


def _joined(pieces: Sequence[Any]) -> str:
    """Pieces side by side: markup where one of them is."""
    if _MARKUP.isdisjoint(map(type, pieces)):
        return "".join(map(str, pieces))
    return as_markup("".join(map(on_page, pieces)))


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
        known.update(Macro=PlainMacro, escape=on_page, absent=absent, markup_join=_joined)
        known.update(template_of=template_of, macros_of=macros_of, included=_included, present=_present)
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
    environment.context_class = PlainContext
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
