export { SettingsView as default } from './settings-view.tsx'
