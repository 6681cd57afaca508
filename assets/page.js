// This file has optional enhancements; every page works without them.

/** Shows a copy button if the browser has a clipboard. */
function offerToCopy(button) {
  const field = document.getElementById(button.dataset.copy);
  const status = document.querySelector(`[data-copied="${button.dataset.copy}"]`);
  if (navigator.clipboard === undefined || field === null) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      status.textContent = 'Copied.';
    } catch {
      getSelection().selectAllChildren(field);
      field.select?.();
      status.textContent = 'Copying failed. The text is selected: copy it manually.';
    }
  });
}

for (const button of document.querySelectorAll('[data-copy]')) offerToCopy(button);

/** Hides a new secret until the user asks for it. */
function maskUntilAsked(button) {
  const field = document.getElementById(button.dataset.unmask);
  field.type = 'password';
  button.hidden = false;
  button.addEventListener('click', () => {
    field.type = field.type === 'password' ? 'text' : 'password';
    button.textContent = field.type === 'password' ? 'Show' : 'Hide';
  });
}

for (const button of document.querySelectorAll('[data-unmask]')) maskUntilAsked(button);

/** Closes the open menus, unless the event is in them. */
function closeMenus({ target }) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!menu.contains(target)) menu.open = false;
  }
}

document.addEventListener('click', closeMenus);
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape') return;
  const menu = target.closest('details.menu[open]');
  menu?.querySelector('summary').focus();
  closeMenus({ target: document.body });
});

/** Makes the key `/` move the focus to the search, except in a field. */
function offerSearch(field) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, select, textarea, [contenteditable]') !== null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

for (const field of document.querySelectorAll('[aria-keyshortcuts="/"]')) offerSearch(field);
