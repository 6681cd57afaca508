// This file of the bundle runs in a thread that answer-thread-client.ts starts.
import { parentPort, type MessagePort } from 'node:worker_threads';
import type { FromThread, ToThread } from './answer-messages.js';
import { AnswerReader } from './answer-reader.js';

if (parentPort !== null) readAnswers(parentPort);

function readAnswers(port: MessagePort): void {
  const readers = new Map<number, AnswerReader>();
  const answer = (message: FromThread) => {
    port.postMessage(message);
  };
  const refuse = (id: number, problem: string) => {
    readers.delete(id);
    answer({ id, kind: 'problem', problem });
  };
  port.on('message', (message: ToThread) => {
    const { id, kind } = message;
    if (kind === 'begin') readers.set(id, new AnswerReader(message.maxValues));
    const reader = readers.get(id);
    // The answer was rejected while more of it was sent.
    if (reader === undefined) return;
    if (kind === 'bytes') {
      const problem = reader.take(message.bytes);
      if (problem !== null) refuse(id, problem);
    } else if (kind === 'end') {
      const envelope = reader.end();
      if (typeof envelope === 'string') refuse(id, envelope);
      else answer({ id, kind: 'envelope', ...envelope });
    } else if (kind === 'next') answer({ id, kind: 'piece', items: reader.next() });
    else if (kind === 'drop') readers.delete(id);
  });
}
