import { assetPath } from './assets.js';
import { Form } from '../ui/form.view.js';
import { Menu, MenuLinks } from '../ui/menu.view.js';
import {
  entryAddress,
  type HeaderGroup,
  type Navigation,
  type NavigationEntry,
  type OpenPlace,
} from '../navigation.js';
import { HOME_PATH, SEARCH_PATH, SECURITY_PATH, SIGN_IN_PATH } from '../paths.js';
import { isSignedIn, type SignedInUser, type SignedInVisit, type Visit } from '../visit.js';

const FOR_STRANGERS = [
  ['/docs/guide', 'Guide'],
  ['/docs', 'API reference'],
  [SIGN_IN_PATH, 'Sign in'],
] as const;
const PRODUCT = 'Vendor Reporting API';
/** Only one menu of the header is open. */
const MENUS = 'header';

/** Shows the header of a visitor: that of the account for users who are signed in. */
export function Header({
  visit,
  navigation,
}: {
  readonly visit: Visit;
  readonly navigation: Navigation;
}) {
  if (!isSignedIn(visit)) return <StrangersHeader path={pathOf(visit)} />;
  if (visit.step !== 'set-up') return <AccountHeader visit={visit} navigation={navigation} />;
  return (
    <header class="site">
      <Brand href="/" />
      <AccountMenu user={visit.user} />
    </header>
  );
}

function pathOf({ request }: Visit): string {
  const [path = ''] = request.originalUrl.split('?');
  return path;
}

/** Shows the header of public pages to visitors who are not signed in. */
export function StrangersHeader({ path }: { readonly path: string }) {
  return (
    <header class="site">
      <Brand href="/" />
      <nav aria-label="Site">
        {FOR_STRANGERS.map(([href, name]) => (
          <a href={href} aria-current={href === path ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  );
}

function Brand({ href }: { readonly href: string }) {
  return (
    <a class="brand" href={href} aria-label={PRODUCT}>
      <img src={assetPath('icon.svg')} alt="" width="24" height="24" />
      <span>{PRODUCT}</span>
    </a>
  );
}

interface Shown {
  readonly visit: SignedInVisit;
  readonly navigation: Navigation;
}

interface Placed extends Shown {
  readonly place: OpenPlace;
}

function AccountHeader({ visit, navigation }: Shown) {
  const placed = { visit, navigation, place: navigation.placeOf(pathOf(visit)) };
  return (
    <>
      <header class="site">
        <Brand href={HOME_PATH} />
        <nav class="groups" aria-label="Account">
          {navigation.groups.map((group) => (
            <Group group={group} {...placed} />
          ))}
        </nav>
        <SearchForm text={searchedIn(visit)} />
        <AccountMenu user={visit.user} />
        <PhoneMenu {...placed} />
      </header>
      <GroupTabs {...placed} />
    </>
  );
}

function searchedIn(visit: SignedInVisit): string {
  return pathOf(visit) === SEARCH_PATH ? visit.query('q') : '';
}

/** Shows a group: a link to its first page, or a menu of its pages. */
function Group({ group, ...placed }: Placed & { readonly group: HeaderGroup }) {
  const isCurrent = group.group === placed.place.group;
  const [first] = group.entries;
  if (group.isMenu || first === undefined) {
    return (
      <Menu name={MENUS} summary={group.label} class={isCurrent ? 'current' : ''}>
        <Entries entries={group.entries} {...placed} />
      </Menu>
    );
  }
  const isOpen = placed.place.entry === first.path;
  return (
    <a
      href={addressOf(first, placed)}
      aria-current={isCurrent ? (isOpen ? 'page' : 'true') : undefined}
    >
      {group.label}
    </a>
  );
}

function addressOf(entry: NavigationEntry, { visit }: Shown): string {
  return entryAddress(entry, (parameter) => visit.query(parameter));
}

function Entries({ entries, ...placed }: Placed & Pick<HeaderGroup, 'entries'>) {
  const links = entries.map((entry) => ({
    href: addressOf(entry, placed),
    words: entry.label,
    isCurrent: entry.path === placed.place.entry,
  }));
  return <MenuLinks links={links} />;
}

/** Shows the pages of the open group below the header. */
function GroupTabs(placed: Placed) {
  const open = placed.navigation.groups.find(({ group }) => group === placed.place.group);
  if (open === undefined || open.entries.length < 2) return null;
  return (
    <nav class="subnav" aria-label={open.label}>
      <Entries entries={open.entries} {...placed} />
    </nav>
  );
}

/** The key `/` moves the focus to it (assets/page.js). */
function SearchForm({ text }: { readonly text: string }) {
  return (
    <form class="search" role="search" action={SEARCH_PATH}>
      <input
        type="search"
        name="q"
        value={text}
        aria-label="Search sales, customers, affiliates"
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
      />
      <button class="quiet">Search</button>
    </form>
  );
}

function AccountMenu({ user }: { readonly user: SignedInUser }) {
  const summary = (
    <>
      <span class="initials" aria-hidden="true">
        {initialsOf(user.name)}
      </span>
      <span class="unseen">Your account</span>
    </>
  );
  return (
    <Menu name={MENUS} summary={summary} class="end account">
      <Who user={user} />
      <MenuLinks links={[{ href: SECURITY_PATH, words: 'Password and two-factor sign-in' }]} />
      <SignOut />
    </Menu>
  );
}

function Who({ user: { name, email } }: { readonly user: SignedInUser }) {
  return (
    <div class="who">
      <strong>{name}</strong>
      {email !== '' && <span>{email}</span>}
    </div>
  );
}

function SignOut() {
  return (
    <Form action="/account/sign-out" class="sign-out">
      <button class="quiet">Sign out</button>
    </Form>
  );
}

/** Shows all groups with their pages, for a screen that is too narrow for the groups. */
function PhoneMenu(placed: Placed) {
  return (
    <Menu name={MENUS} summary="Menu" class="end phone-menu">
      <Who user={placed.visit.user} />
      <nav aria-label="Menu">
        {placed.navigation.groups.map(({ label, entries }) => (
          <>
            <p class="menu-title">{label}</p>
            <Entries entries={entries} {...placed} />
          </>
        ))}
      </nav>
      <SignOut />
    </Menu>
  );
}

/** Returns the first letters of the first two words of a name. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join('');
}
