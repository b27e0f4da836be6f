// The key "/" leads to the message box, from wherever nothing is being typed.
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
})();
