"""The parcels of `tests/example_domains`: a domain is a folder, and nothing else knows it."""

from __future__ import annotations

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.item_examples import load_examples
from db.items import ItemService
from db.tasks import Clock
from db.users import User
from domains import catalogues
from domains.deciders import make_engine
from domains.loading import load_domain
from engine.decision import Context, Decision
from engine.targets.recorded_index import RecordingIndex
from engine.values import ToolCall, make_call
from tests.conftest import NOW

pytestmark = pytest.mark.usefixtures("parcels")


class Post:
    """A person with the example parcels, and what the engine makes of what they say."""

    def __init__(self, database: Database, user: User, executor: Executor) -> None:
        self.database, self.user, self.executor = database, user, executor

    def say(self, text: str, context: Context | None = None) -> Decision:
        with self.database.read() as session:
            index = RecordingIndex(ItemService(session, self.user, load_domain("parcels")))
            asked = context or Context(index, NOW)
            return make_engine(domain="parcels").decide(text, asked)

    def run(self, call: ToolCall) -> dict[str, object]:
        return dict(self.executor.execute(call, Origin("engine")).payload)


@pytest.fixture
def post(database: Database, ada: User, executor: Executor, clock: Clock) -> Post:
    load_examples(database, ada, load_domain("parcels"))
    return Post(database, ada, executor)


def test_it_is_found_by_its_folder() -> None:
    domain = load_domain("parcels")
    assert (domain.label, domain.languages) == ("Parcels", ("en",))
    assert domain.catalogue.intents == ("list_parcels", "track_parcel", "redirect_parcel", "unknown")
    assert "track_parcel" in catalogues.load_all_tools()


@pytest.mark.parametrize(
    ("text", "intent", "arguments"),
    [
        ("where are the garden chairs?", "track_parcel", {"parcel": 1}),
        ("track #2", "track_parcel", {"parcel": 2}),
        ("has the teapot arrived yet", "track_parcel", {"parcel": 3}),
        ("send the shoes to my office in Leeds", "redirect_parcel", {"parcel": 2, "address": "my office in Leeds"}),
        ("show my parcels", "list_parcels", {}),
        ("list delivered parcels please", "list_parcels", {"filter": "delivered"}),
    ],
)
def test_the_engine_reads_it_without_anything_learned(
    post: Post, text: str, intent: str, arguments: dict[str, object]
) -> None:
    decision = post.say(text)
    assert (decision.action, decision.intent) == ("execute", intent)
    given = dict(decision.calls[0].parameters)
    if "parcel" in given:
        given["parcel"] = post.run(make_call("track_parcel", {"parcel": given["parcel"]}, "person"))["number"]
    assert given == arguments


@pytest.mark.parametrize("text", ["what a lovely day", "how do I track a parcel?", "don't send the shoes anywhere"])
def test_what_asks_for_nothing_calls_nothing(post: Post, text: str) -> None:
    decision = post.say(text)
    assert (decision.action, decision.intent, decision.calls) == ("reply", "unknown", ())


def test_a_missing_argument_is_asked_for_and_the_answer_fills_it(post: Post) -> None:
    asked = post.say("redirect the teapot")
    assert (asked.action, asked.message) == ("clarify", "Where shall 'Blue teapot' go instead?")
    with post.database.read() as session:
        index = RecordingIndex(ItemService(session, post.user, load_domain("parcels")))
        answered = make_engine(domain="parcels").decide("Elm Street 5", Context(index, NOW, pending=asked.pending))
    assert answered.calls[0].parameters["address"] == "Elm Street 5"


def test_its_calls_change_the_store_and_can_be_undone(post: Post) -> None:
    (call,) = post.say("send the garden chairs to Elm Street 5").calls
    result = post.executor.execute(call, Origin("engine"))
    assert (result.payload["address"], result.payload["changed"]) == ("Elm Street 5", True)
    assert result.audit_id
    assert post.executor.undo(result.audit_id, Origin("person")).ok
    assert post.run(make_call("track_parcel", {"parcel": "garden chairs"}, "person"))["address"] == "12 Mill Lane"


def test_nobody_sees_anothers_parcels(post: Post, database: Database, bob: User, clock: Clock) -> None:
    other = Executor(database, bob, clock)
    answer = other.execute(make_call("list_parcels", {}, "person"), Origin("person"))
    assert answer.payload["total"] == 0
    missing = other.execute(make_call("redirect_parcel", {"parcel": "#1", "address": "mine"}, "llm"), Origin("llm"))
    assert missing.error == "not_found"
