export const PEOPLE_PATH = '/account/people';

/** The page of a buyer, with what is kept of them. */
export function personPath(email: string): string {
  return `${PEOPLE_PATH}?${new URLSearchParams({ email }).toString()}`;
}
