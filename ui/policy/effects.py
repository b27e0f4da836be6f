"""The effect of the draft on the page: fixed, broken and changed, each row with its message, before and after."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from db.users import User
from evals.effect.finding import EditEffect, EffectKind, EffectRow
from evals.effect.probes import ProbeResult, ProbeSource
from ui import background
from ui.counting import count_of
from ui.policy.bases import find_base, find_played
from ui.policy.desk import Desk
from ui.policy.must_stay import read_added
from ui.policy.own_message import OwnMessage
from ui.policy.work import EffectWork, WarmWork, start_latest, start_once
from ui.progress import format_left
from ui.state.policy import session_in_link
from ui.templates import draw
from ui.words import ACTION_WORDS

FIRST_LOOK_SECONDS = 1.2
"""So long the page waits for the messages: most edits need less, and nothing has to be drawn twice."""
_POLL_SECONDS = 0.5
_MOST_ROWS = 40
KINDS: dict[EffectKind, str] = {"fixed": "Fixed", "broken": "Broken", "changed": "Changed"}
_SIGNS: dict[EffectKind, str] = {"fixed": "✓", "broken": "✗", "changed": "≠"}
_SOURCES: dict[ProbeSource, str] = {
    "cases": "case",
    "saved": "saved case",
    "conversations": "conversation",
    "history": "turn",
    "silent": "must stay silent",
    "same": "must stay as it is",
}
_NONE: dict[EffectKind, str] = {
    "fixed": "No labelled message becomes right by this draft. Save a misread one as a case on Inspect, and it counts.",
    "broken": "Nothing that was right becomes wrong.",
    "changed": "No message without a label is decided otherwise.",
}


def begin_effect(user: User, desk: Desk) -> EffectWork:
    """Found in the background from now on: `render_effect` waits for it a moment."""
    base = find_base(user, desk.draft, read_added(desk.place))
    played = find_played(desk.draft)
    key = ("effect", id(base), desk.draft.digest)
    return start_latest("effect", key, lambda: EffectWork(base, played, desk.draft))


def warm_up(user: User, desk: Desk) -> None:
    """Begins to read what drafts are tried on."""
    base = find_base(user, desk.draft, read_added(desk.place))
    played = find_played(desk.draft)
    start_once(("warm", id(base)), lambda: WarmWork(base, played))


def render_effect(user: User, work: EffectWork, own: OwnMessage | None = None) -> None:
    """With the message that the draft is made for."""
    work.shown.wait(FIRST_LOOK_SECONDS)
    if work.ended.is_set():
        _render(user, work, own)
    else:
        _render_live(user, work, own)


@st.fragment(run_every=_POLL_SECONDS)
def _render_live(user: User, work: EffectWork, own: OwnMessage | None) -> None:
    """Only this is drawn again while it goes on."""
    if work.ended.is_set():
        st.rerun()
    _render(user, work, own)


def _render(user: User, work: EffectWork, own: OwnMessage | None) -> None:
    effect = work.so_far
    if work.failed:
        st.error("The effect could not be found; the log says why.", icon=":material/error:")
    elif work.effect is None and not effect.total:
        st.caption(":material/hourglass_top: Finding what the draft can touch …")
    else:
        _render_rows(user, effect, own, work.id, final=work.ended.is_set())
        _render_reach(work, effect)


def _render_rows(user: User, effect: EditEffect, own: OwnMessage | None, work_id: str, *, final: bool) -> None:
    found = {kind: own.rows_of(effect, kind) if own else effect.of(kind) for kind in KINDS}
    # As the control's own default, of one draft: a value put under its key is sent to the browser once, and where the
    # page is drawn again at that moment (somebody else has saved), nothing would look chosen.
    first: EffectKind = "fixed" if found["fixed"] and not effect.broken else "broken"
    chosen = st.segmented_control(
        "What the draft does",
        list(KINDS),
        default=first,
        format_func=lambda each: f"{_SIGNS[each]} {KINDS[each]} {len(found[each]):,}",
        key=f"effect-kind-{work_id}",
        required=True,
        label_visibility="collapsed",
        width="stretch",
        help="Messages that are decided otherwise under the draft.",
    )
    kind: EffectKind = chosen or "broken"
    rows = sorted(found[kind], key=lambda row: not row.critical)
    if not rows:
        st.caption(_NONE[kind] if final else "None so far.")
        return
    st.html(draw("policy/effect", "rows", [show_row(user, row) for row in rows[:_MOST_ROWS]]))
    if len(rows) > _MOST_ROWS:
        st.caption(f"The first {_MOST_ROWS} of {len(rows):,}.")


def _render_reach(work: EffectWork, effect: EditEffect) -> None:
    everything = effect.touch.everything if effect.touch else ()
    looked = f"{effect.run:,} of {effect.total:,} messages and conversations run again in {effect.seconds:.1f} s"
    if effect.complete and not effect.run:
        st.caption(f"It can touch none of the {effect.total:,} messages and conversations that are known.")
    elif effect.complete:
        rest = f"everything: {', '.join(map(str, everything))}" if everything else "no other can be touched"
        st.caption(f"{looked}; {rest}.")
    elif work.ended.is_set():
        st.caption(f":material/warning: Not all were looked at: {looked}.")
    else:
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.caption(f":material/hourglass_top: {tell_progress(work, effect)}")
        button.button(
            "Stop", key=f"stop-{work.id}", type="tertiary", on_click=background.cancel, args=(work.id,),
            help="What was found so far stays.",
        )  # fmt: skip


def tell_progress(work: EffectWork, effect: EditEffect) -> str:
    """What is known while it goes on: first of the messages, then of the conversations."""
    done, total = work.progress.done, work.progress.total
    if work.effect is not None:
        left = work.progress.seconds_left
        pace = "" if left is None else f", {format_left(left)} left"
        if not total:
            return "Looking for the conversations it can touch …"
        return f"Playing the conversations it can touch: {done:,} of {total:,}{pace}{_tell_more(effect)}."
    counts = ", ".join(f"{len(effect.of(kind)):,} {kind}" for kind in KINDS)
    looked = f"{done:,} of {count_of(total, 'message')} that it may touch looked at"
    return f"So far: {counts}; {looked}{_tell_more(effect)}."


def _tell_more(effect: EditEffect) -> str:
    """What the rest will come to, by what was seen: who need not know each message need not wait."""
    if effect.more is None:
        return ""
    low, high = effect.more
    if high == 0:
        return "; no more are to be expected"
    return f"; {f'{low:,} to {high:,}' if low else f'up to {high:,}'} more to be expected"


def show_row(user: User, row: EffectRow) -> dict[str, object]:
    return {
        "kind": row.kind,
        "text": row.probe.text,
        "source": _SOURCES[row.probe.source] if row.probe.id else "this message",
        "id": row.probe.id,
        "critical": row.critical,
        "before": _told(row.before),
        "after": _told(row.after),
        "link": _link(user, row),
    }


def _told(result: ProbeResult) -> dict[str, str]:
    """“execute: add_task(title=sleep)” -> what it does, and with what."""
    action, _, rest = result.told.partition(": ")
    words: dict[str, str] = {str(name): told for name, told in ACTION_WORDS.items()}
    return {"action": action if action in words else "", "name": words.get(action, action), "rest": rest}


def _link(user: User, row: EffectRow) -> str:
    turn = (row.probe.link or {}).get("turn")
    about = {"turn": turn} if turn else {"text": row.probe.text, "domain": row.probe.domain}
    return f"/inspect?{urlencode({**about, 'user': user.handle, **session_in_link()})}"
