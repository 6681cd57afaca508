// What makes a page pleasant; each works without it.

/** A button that copies the field it names; it shows only where the browser lets it copy. */
function offerToCopy(button) {
  const field = document.getElementById(button.dataset.copy);
  const told = document.querySelector(`[data-copied="${button.dataset.copy}"]`);
  if (navigator.clipboard === undefined || field === null) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      told.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(field);
      field.select?.();
      told.textContent = 'The browser did not let us copy. It is selected: copy it by hand.';
    }
  });
}

for (const button of document.querySelectorAll('[data-copy]')) offerToCopy(button);
