import { renderDocument } from '../ui/layout.view.js';

/**
 * Renders a page without styles and links, because no other file is sent over plain HTTP either.
 */
export function renderPlainHttp(detail: string): string {
  return renderDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Use HTTPS · Vendor Reporting API</title>
      </head>
      <body>
        <main>
          <h1>Use HTTPS</h1>
          <p>{detail}</p>
          <p>
            If the address begins with https:// already, ask the operator of this service. The proxy
            in front of it must send the header <code>X-Forwarded-Proto</code> and be listed in{' '}
            <code>TRUST_PROXY</code>.
          </p>
        </main>
      </body>
    </html>,
    '',
  );
}
