// The key "/" leads to the message box, from wherever nothing is being typed; a conversation stands at its newest turn.
(() => {
  if (window.twolaneKeys) return;
  window.twolaneKeys = true;
  const typing = (place) => place.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(place.tagName);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const box = document.querySelector('[data-testid="stChatInputTextArea"]:not(:disabled), .stMain input[type="text"]:not(:disabled)');
    if (!box) return;
    event.preventDefault();
    box.focus();
  });
  // A new turn comes into sight, also for somebody who had scrolled up to an older one: Streamlit follows only who stands
  // at the end, and a question that is out of sight waits for ever. What is drawn of the turn later (the buttons of its
  // question, the LLM's card) is followed as well, until the reader scrolls.
  let newest = null;
  let following = false;
  const talkOf = () => document.querySelector(".st-key-conversation");
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    document.addEventListener(kind, (event) => {
      if (talkOf()?.contains(event.target)) following = false;
    }, { capture: true, passive: true });
  }
  new MutationObserver(() => {
    const talk = talkOf();
    const turns = talk ? talk.querySelectorAll(".tl-turn") : [];
    const last = turns.length ? turns[turns.length - 1].id : null;
    if (last !== newest) following = last !== null;
    newest = last;
    if (talk && following) talk.scrollTop = talk.scrollHeight;
  }).observe(document.body, { childList: true, subtree: true });
})();
