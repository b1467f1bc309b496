"""Pages as a program reads them that plays by pressing what they offer."""

from app.cli.makers.visitors.page_reader import Page, Way

TABLE = """
<!doctype html><html><body>
<form method="post" action="/preferences"><button name="deck" value="four">Suits</button></form>
<main id="live" data-version="41" data-my-turn="true">
  <div id="poll" hx-get="/t/x/live?seen=41&amp;sort=suit"></div>
  <section id="mine">
    <input type="radio" form="play" name="stack" value="1"><input type="radio" form="play" name="stack" value="3">
  </section>
  <section id="board"><ol>
    <li class="pile fit-1 fit-3"><button form="play" name="open" value="2"><svg><use href="/x"/></svg></button></li>
    <li class="pile fit-3"><button form="play" name="open" value="4">4</button></li>
    </ol>
    <form id="play" method="post" action="/t/x/moves"><button disabled></button>
      <input type="hidden" name="move" value="play"><input type="hidden" name="seen" value="41"></form>
  </section>
  <div id="actions"><form method="post" action="/t/x/moves?sort=suit">
    <button>Pass</button><input type="hidden" name="move" value="pass"></form></div>
</main></body></html>
"""
PLAY = ("move", "play"), ("seen", "41")


def shown(*answers: str) -> Page:
    page = Page()
    for answer in answers:
        page.show(answer)
    page.read()
    return page


def test_a_page_says_which_version_it_is_of_whose_turn_it_is_and_where_to_ask_for_news() -> None:
    page = shown(TABLE)
    assert (page.version, page.my_turn, page.poll) == (41, True, "/t/x/live?seen=41&sort=suit")


def test_there_is_a_way_for_each_button_and_each_choice_that_goes_with_it() -> None:
    assert shown(TABLE).ways("/moves") == [
        Way("/t/x/moves", (*PLAY, ("stack", "1"), ("open", "2"))),
        Way("/t/x/moves", (*PLAY, ("stack", "3"), ("open", "2"))),
        Way("/t/x/moves", (*PLAY, ("stack", "3"), ("open", "4"))),
        Way("/t/x/moves?sort=suit", (("move", "pass"),)),
    ]


def test_boxes_are_ticked_one_at_a_time() -> None:
    form = '<form id="lay" action="/t/x/moves"><input type="hidden" name="move" value="lay"></form>'
    cards = "".join(f'<input type="checkbox" form="lay" name="cards" value="{card}">' for card in ("7H", "8H"))
    page = shown(
        f"{form}{cards}<button form='lay'>Lay these</button><button form='lay' formmethod='get'>Aside</button>"
    )
    assert [dict(way.fields)["cards"] for way in page.ways("/moves")] == ["7H", "8H"]


def test_a_form_as_it_is_filled_in() -> None:
    form = """<form action="/tables"><input name="name" value="Ann"><input type="checkbox" name="teams" value="true">
    <input type="checkbox" name="open" checked><input type="radio" name="seats" value="2">
    <input type="radio" name="seats" value="3" checked><select name="clock"><option value="a">A</option>
    <option value="off" selected>Off</option></select>
    <select name="pace"><option value="brisk">Brisk</option><option value="slow">Slow</option></select>
    <button>Open</button></form>"""
    wanted = (("name", "Ann"), ("open", "on"), ("seats", "3"), ("clock", "off"), ("pace", "brisk"))
    assert shown(form).usual("/tables") == Way("/tables", wanted)
    assert shown('<form action="/tables"></form>').usual("/tables") is None


def test_the_whole_of_what_is_live_replaces_what_was_there() -> None:
    page = shown(
        TABLE, '<main id="live" data-version="42" data-my-turn="false"><div id="poll" hx-get="/p"></div></main>'
    )
    assert (page.version, page.my_turn, page.poll, page.ways("/moves")) == (42, False, "/p", [])


def test_parts_replace_their_places_and_leave_the_rest() -> None:
    board = (
        '<section id="board"><form action="/t/x/moves"><button name="move" value="draw">Draw</button></form></section>'
    )
    page = shown(
        TABLE,
        f'<hx-partial hx-target="#board" hx-swap="outerMorph">{board}</hx-partial>'
        '<hx-partial hx-target="#poll" hx-swap="outerMorph"><div id="poll" hx-get="/live?seen=43"></div></hx-partial>',
    )
    assert (page.version, page.poll) == (43, "/live?seen=43")
    assert [dict(way.fields)["move"] for way in page.ways("/moves")] == ["pass", "draw"]
    page.show('<hx-partial hx-target="#actions" hx-swap="innerHTML"></hx-partial>' + '<section id="board"></section>')
    assert page.ways("/moves") == []
    assert not page.my_turn


def test_lines_that_are_added_take_nothing_away() -> None:
    page = shown(TABLE, '<hx-partial hx-target="#board" hx-swap="beforeend"><li id="line-9"></li></hx-partial>')
    assert len(page.ways("/moves")) == 4
