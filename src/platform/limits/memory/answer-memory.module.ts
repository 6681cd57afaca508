import { Module } from '@nestjs/common';
import { Metrics } from '../../observability/metrics.js';
import { AnswerMemory } from './answer-memory.js';
import { PieceTurns } from './piece-turns.js';

/** Provides the memory limit of answers to modules whose answers may be large. */
@Module({ providers: [AnswerMemory, PieceTurns], exports: [AnswerMemory, PieceTurns] })
export class AnswerMemoryModule {
  constructor(metrics: Metrics, memory: AnswerMemory, turns: PieceTurns) {
    metrics.gauge('answer_memory_bytes', 'Memory of answers that are being sent.', 'state', () => ({
      taken: memory.bytes,
    }));
    metrics.counter(
      'answer_memory_waits_total',
      'Answers that had to wait for memory, and those that were refused for lack of it.',
      'outcome',
      () => memory.counts,
    );
    metrics.counter(
      'answer_piece_waits_total',
      'Parts of large answers that waited while a part of another answer was read.',
      'outcome',
      () => ({ waited: turns.waited }),
    );
  }
}
