"""What is typed about a connection becomes an endpoint, or a sentence; a key stays with its address."""

from __future__ import annotations

import pytest

from llm.endpoint import OPENAI_URL, Endpoint
from ui.connection_form import PRESETS, ConnectionDraft, FormError, check_address, make_endpoint_of, travels_in_the_open

KEY = "sk-nobody-may-see-this-key-0000"
SAVED = Endpoint("openai", OPENAI_URL, "gpt-4.1", KEY)


def test_a_key_is_never_used_for_another_address_than_its_own() -> None:
    again = make_endpoint_of(ConnectionDraft("openai", model="gpt-4.1-mini"), (SAVED,))
    assert again.key == KEY
    elsewhere = make_endpoint_of(ConnectionDraft("custom", "http://localhost:1234/v1", "m"), (SAVED,))
    assert elsewhere.key == ""


def test_a_typed_key_wins_over_a_known_one() -> None:
    assert make_endpoint_of(ConnectionDraft("openai", model="m", key=" sk-new "), (SAVED,)).key == "sk-new"


@pytest.mark.parametrize("address", [*PRESETS.values(), "https://example.com/v1/", "http://[::1]:8000/v1"])
def test_addresses_that_can_be_used(address: str) -> None:
    assert check_address(f"  {address} ") == address.rstrip("/")


@pytest.mark.parametrize(
    "address",
    ["", "localhost:11434", "ftp://example.com", "http://", "http://a b/v1", "http://x:port/v1", "http://[::1/v1",
     "javascript:alert(1)"],
)  # fmt: skip
def test_addresses_that_cannot_be_used(address: str) -> None:
    with pytest.raises(FormError, match="must look like"):
        check_address(address)


@pytest.mark.parametrize("address", ["https://me:secret@example.com/v1", "https://example.com/v1?key=secret"])
def test_a_secret_in_the_address_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(FormError) as refused:
        check_address(address)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("key", ["sk-ключ", "sk with spaces", "sk\nnewline", "Bearer sk-1"])
def test_a_key_with_impossible_characters_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(FormError) as refused:
        make_endpoint_of(ConnectionDraft("openai", model="m", key=key), ())
    assert key not in str(refused.value)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(FormError, match="needs a key"):
        make_endpoint_of(ConnectionDraft("openai", model="m"), ())
    with pytest.raises(FormError, match="Which model"):
        make_endpoint_of(ConnectionDraft("custom", "http://localhost:1/v1", "  "), ())
    untested = make_endpoint_of(ConnectionDraft("custom", "http://localhost:1/v1"), (), model_needed=False)
    assert untested.model == ""


def test_a_draft_and_an_endpoint_never_print_the_key() -> None:
    draft = ConnectionDraft("openai", model="m", key=KEY)
    assert KEY not in repr(draft) + repr(make_endpoint_of(draft, ()))


def test_a_key_over_plain_http_is_noticed_unless_it_stays_on_this_machine() -> None:
    assert travels_in_the_open(Endpoint("custom", "http://example.com/v1", "m", KEY))
    assert not travels_in_the_open(Endpoint("custom", "http://example.com/v1", "m"))
    assert not travels_in_the_open(Endpoint("custom", "https://example.com/v1", "m", KEY))
    assert not travels_in_the_open(Endpoint("custom", "http://localhost:1/v1", "m", KEY))
