import type { PasswordConfirmation } from './password-confirmation.js';
import { redirectTo, type PageAnswer } from './page-answer.js';
import type { PageRoutes } from './page-router.js';
import { ownPath } from './paths.js';
import type { SignedInVisit } from './visit.js';
import { FormProblem } from './ui/form.view.js';
import type { ShownSecret } from './resource.view.js';

/** A form on the page of a managed thing, such as an API key, that changes it or shows a secret. */
export interface Action {
  /**
   * Sentence that the user confirms with the password, with the name of the thing. Without it, the
   * action needs no confirmation.
   */
  readonly sentence?: (name: string) => string;
  /** Label of the button that confirms. */
  readonly button?: string | ((name: string) => string);
  readonly isDangerous?: boolean;
  /** Message of the page that follows. */
  readonly done?: string;
  /** Path of the page that follows, if it is not that of the thing. */
  readonly next?: string;
  readonly change?: (visit: SignedInVisit) => Promise<unknown>;
  /** Page of an action that has one of its own, such as one with a secret or a question. */
  readonly page?: (visit: SignedInVisit) => Promise<PageAnswer>;
}

/** A kind of managed thing. Paths are those of whole addresses. */
export interface Resource {
  /** Actions by the last part of their paths. */
  readonly actions: Readonly<Record<string, Action>>;
  /** Message of the page of a new thing. */
  readonly created?: string;
  readonly pathOf: (visit: SignedInVisit) => string;
  /** Returns the name of the thing, for sentences. */
  readonly nameOf: (visit: SignedInVisit) => Promise<string>;
  /** Shows the page of the thing with problems. */
  readonly show: (visit: SignedInVisit, problems: readonly FormProblem[]) => Promise<PageAnswer>;
  /** Converts an error of the service: to a problem of a form, or to one with an error page. */
  readonly errorOf: (thrown: unknown) => unknown;
}

/** A kind of thing of which a user can have several. */
export interface ListedResource extends Resource {
  /** Shows all things, and the form of a new one with problems. */
  readonly list: (visit: SignedInVisit, problems: readonly FormProblem[]) => Promise<PageAnswer>;
  /** Creates a thing from the form. */
  readonly create: (visit: SignedInVisit) => Promise<PageAnswer>;
}

/** @param path of the list below /account, such as `/webhooks` */
export function addResource(
  routes: PageRoutes,
  path: string,
  resource: ListedResource,
  passwords: PasswordConfirmation,
): void {
  const { list, create, show, errorOf } = resource;
  routes.get(path, (visit) => list(visit, []));
  routes.post(path, (visit) => orProblem({ errorOf, show: list }, visit, () => create(visit)));
  routes.get(`${path}/:id`, (visit) => orProblem(resource, visit, () => show(visit, [])));
  addActions(routes, `${path}/:id`, resource, passwords);
}

/** @param path of the thing's page below /account, such as `/upstream` */
export function addActions(
  routes: PageRoutes,
  path: string,
  resource: Resource,
  passwords: PasswordConfirmation,
): void {
  const { actions, pathOf, nameOf } = resource;
  for (const [kind, action] of Object.entries(actions)) {
    const { sentence, button = '', isDangerous = false, change, page, next } = action;
    const confirmation = async (visit: SignedInVisit, text: (name: string) => string) => {
      const [name, back] = [await nameOf(visit), pathOf(visit)];
      return {
        action: `${back}/${kind}`,
        back,
        sentence: text(name),
        button: typeof button === 'string' ? button : button(name),
        isDangerous,
      };
    };
    const answer = async (visit: SignedInVisit): Promise<PageAnswer> => {
      if (sentence !== undefined) {
        const prompt = await passwords.promptFor(visit, () => confirmation(visit, sentence));
        if (prompt !== null) return prompt;
      }
      if (page !== undefined) return page(visit);
      await change?.(visit);
      return redirectTo(ownPath(visit.field('next'), next ?? `${pathOf(visit)}?done=${kind}`));
    };
    routes.post(`${path}/${kind}`, (visit) => orProblem(resource, visit, () => answer(visit)));
  }
}

/**
 * Returns the answer, or the page of the thing with the problem that prevented the answer.
 * @throws the converted error of the answer, or of the page, which may find no such thing
 */
async function orProblem(
  { errorOf, show }: Pick<Resource, 'errorOf' | 'show'>,
  visit: SignedInVisit,
  answer: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await answer().catch((thrown: unknown) => {
      const error = errorOf(thrown);
      if (error instanceof FormProblem) return show(visit, [error]);
      throw error;
    });
  } catch (thrown) {
    throw errorOf(thrown);
  }
}

/** Returns the message about the last action, by the word in the address. */
export function doneMessage(visit: SignedInVisit, { actions, created }: Resource) {
  const kind = visit.query('done');
  if (kind === 'created') return created;
  return Object.hasOwn(actions, kind) ? actions[kind]?.done : undefined;
}

/**
 * Reads a secret for its page.
 * @param Unreadable error if the secret cannot be decrypted
 */
export async function secretFrom(
  read: () => Promise<string | null>,
  Unreadable: new (message: string) => Error,
): Promise<ShownSecret> {
  try {
    const value = await read();
    return value === null ? {} : { value };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { isUnreadable: true };
  }
}
