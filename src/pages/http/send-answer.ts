import type { Response } from 'express';
import { sendFile } from '../../common/envelope/send-file.js';
import { setFailure } from '../../common/errors/answered-code.js';
import type { PageAnswer, PageSettings } from './page-answer.js';
import { renderPage } from '../ui/layout.view.js';
import type { Visit } from '../session/visit.js';

/** A status that a browser follows with GET (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;

export async function sendAnswer(
  visit: Visit,
  response: Response,
  answer: PageAnswer,
  settings: PageSettings,
): Promise<void> {
  switch (answer.kind) {
    case 'redirect':
      response.redirect(SEE_OTHER, settings.basePath + answer.to);
      return;
    case 'page':
      if (answer.failure !== undefined) setFailure(response, answer.failure);
      response.type('html').send(renderPage(visit, answer, settings));
      return;
    case 'download':
      await answer.withFile((file) => sendFile(visit.request, response, file));
  }
}
