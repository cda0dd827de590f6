export { TimelineView as default } from './timeline-view.tsx'
