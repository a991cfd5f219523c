// What the programs use of node:http. An import from 'node:http' evaluates all of its exports, and reading its WebSocket loads the client behind
// fetch, which costs 60 ms of processor time at each start of a program.
export const { createServer, IncomingMessage, request, STATUS_CODES } = process.getBuiltinModule('node:http')
