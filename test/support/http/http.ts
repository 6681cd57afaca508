export * from '../../../testing/src/service/http.js';
