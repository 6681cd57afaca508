export const PEOPLE_PATH = '/account/people';

/** Returns the path of the page with the kept data of a customer. */
export function personPath(email: string): string {
  return `${PEOPLE_PATH}?${new URLSearchParams({ email }).toString()}`;
}
