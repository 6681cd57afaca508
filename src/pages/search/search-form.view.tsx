export const SEARCH_PATH = '/account/search';

/**
 * Appears on every page of a signed-in user. The key `/` moves the focus to it (assets/page.js).
 */
export function SearchForm({ text }: { readonly text: string }) {
  return (
    <form class="search" role="search" action={SEARCH_PATH}>
      <input
        type="search"
        name="q"
        value={text}
        aria-label="Transaction id or customer’s e-mail"
        aria-keyshortcuts="/"
        placeholder="Id or e-mail ( / )"
        autocomplete="off"
      />
      <button class="quiet">Search</button>
    </form>
  );
}
