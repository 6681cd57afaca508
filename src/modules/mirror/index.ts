export { UpstreamsModule } from './upstreams.module.js';
export { UpstreamsService } from './upstreams/upstreams.service.js';
export { UpstreamWritesService } from './upstreams/upstream-writes.service.js';
