export { MediaView as default, READS as reads } from './media-view.tsx'
