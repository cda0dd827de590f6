export { READS as reads, TimelineView as default } from './timeline-view.tsx'
