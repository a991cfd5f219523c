// Preloaded into a program by NODE_OPTIONS: appends the target of every connection that the program opens to a file, one JSON list a line.
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

const file = process.env['TEST_CONNECTIONS']
const prototype = Socket.prototype as { connect: (...args: unknown[]) => Socket }
const { connect } = prototype
prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = args.flat(2)
  const {
    host = null,
    port = null,
    path = null,
  } = (typeof first === 'object' && first !== null ? first : { port: first }) as Record<string, unknown>
  if (file) appendFileSync(file, `${JSON.stringify([host, port, path])}\n`)
  return connect.apply(this, args)
}
