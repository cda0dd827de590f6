export { MapView as default } from './map-view.tsx'
