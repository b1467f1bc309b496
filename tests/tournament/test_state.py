"""What follows from a tournament's log: announcements."""

from snug.tournament.events import Announced, Ended
from tests.tournament.company import after, entered, played

_ONE, _OTHER = ([(number, 0.0) for number in numbers] for numbers in ((1, 2, 3, 4), (5, 6, 7, 8)))


def test_an_announcement_is_news_until_the_next_stage_begins() -> None:
    tournament = after(entered(8), Announced("Welcome"), Announced("Cake is in the kitchen"))
    assert tournament.news == "Cake is in the kitchen"
    tournament = played(tournament, _ONE, _OTHER)
    assert tournament.news == ""
    tournament = after(tournament, Announced("Coats on the bed"))
    assert tournament.news == "Coats on the bed"
    assert tournament.announcements == ("Welcome", "Cake is in the kitchen", "Coats on the bed")


def test_when_it_is_over_there_is_still_something_to_say() -> None:
    tournament = after(entered(8), Ended("Late"), Announced("Thank you all"))
    assert tournament.over
    assert tournament.news == "Thank you all"
    assert tournament.corrections == (Ended("Late"),)
