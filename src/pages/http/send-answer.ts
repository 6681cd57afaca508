import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { setFailure } from '../../common/errors/answered-code.js';
import { codeOf } from '../../common/errors/is-error.js';
import type { Download, PageAnswer } from './page-answer.js';
import { renderPage } from '../ui/layout.view.js';
import type { Visit } from '../session/visit.js';

/** The browser follows it with GET (RFC 9110, 15.4.4). */
const SEE_OTHER = 303;

export async function sendAnswer(
  visit: Visit,
  response: Response,
  answer: PageAnswer,
): Promise<void> {
  switch (answer.kind) {
    case 'redirect':
      response.redirect(SEE_OTHER, answer.to);
      return;
    case 'page':
      if (answer.failure !== undefined) setFailure(response, answer.failure);
      response.type('html').send(renderPage(visit, answer));
      return;
    case 'download':
      await sendDownload(visit, response, answer);
  }
}

/** Backpressure: rows are read from the database only as fast as the browser reads. */
async function sendDownload(
  visit: Visit,
  response: Response,
  { fileName, type, chunks }: Download,
): Promise<void> {
  response.attachment(fileName).set('Content-Type', type);
  if (visit.request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(chunks), response);
  } catch (error) {
    // Ignores a browser that disconnected. Any other error closes the connection, and the download fails.
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
