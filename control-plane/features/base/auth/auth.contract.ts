// Signing in with the API key, and tickets for WebSockets. The specification calls a sign-in a session.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

const Ticket = z.object({ ticket: z.string(), expires_at: z.number(), expires_in: z.int() }).meta({ id: 'SocketTicket' })

export const authContracts = {
  startSession: contract({
    id: 'auth.startSession',
    method: 'POST',
    path: '/api/auth/session',
    access: 'open', // the key is the credential, and the service checks it
    isSignIn: true,
    forReaders: true,
    summary: 'Signs in with the API key or the key of a person as bearer token: 201 with a session token, or 204 with a cookie.',
    body: z.strictObject({ transport: z.enum(['cookie', 'bearer']) }),
    status: 201,
    media: ['application/json'],
  }),
  endSession: contract({
    id: 'auth.endSession',
    method: 'DELETE',
    path: '/api/auth/session',
    access: 'open', // a client whose session has expired must be able to delete its cookie
    forReaders: true,
    summary: 'Signs out: revokes the session of the request and deletes its cookie. Without a session nothing changes.',
    status: 204,
    media: [],
  }),
  createTicket: contract({
    id: 'auth.createTicket',
    method: 'POST',
    path: '/api/auth/ws-ticket',
    access: 'consume',
    forReaders: true,
    summary: 'Creates a ticket for one WebSocket handshake within 30 s, for clients that are signed in. Send it as query ws_ticket.',
    body: z.strictObject({ path: z.enum(['/ws/events', '/ws/transcribe', '/ws/tts', '/v1/realtime']) }),
    status: 201,
    reply: Ticket,
  }),
}
