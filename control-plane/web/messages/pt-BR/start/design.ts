// A page for developers, in English.
export { strings } from '#control-plane/web/messages/en/start/design.ts'
