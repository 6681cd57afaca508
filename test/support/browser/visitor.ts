export * from '../../../testing/src/service/visitor.js';
