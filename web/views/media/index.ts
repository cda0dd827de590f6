export { MediaView as default } from './media-view.tsx'
