export { type Demo, DemoService } from './demo.service.js';
