// The contract of one HTTP route: plain data. OpenAPI, the access table, the CLI, the types of the web pages and the route tests fold
// over contracts, so a contract file imports schemas and nothing that needs a running studio.
import type { z } from 'zod'
import type { MadeKind } from '#shared/protocol/access/client.ts'
import type { RequestHeader, ResponseHeader } from './headers.ts'

/**
 * open: any caller that reaches the port. consume: this machine, or a credential. local: this machine's own user, or a trusted network.
 * admin: the studio's own user, the API key in server mode, or a person with the role operate. own: the same with the role own, for routes that
 * reveal or change keys, access or the identity of the studio. loopback: the studio's own user on this machine only. native: the same, for
 * routes that open paths of this machine. access/principals.ts lists who reaches what.
 */
export type Access = 'open' | 'consume' | 'local' | 'admin' | 'own' | 'loopback' | 'native'

/** The data of the events of a stream by their names, the field `event` of server-sent events. */
export type NamedEvents = Readonly<Record<string, z.ZodType>>
/** Types of the data of events by their names, for senders and readers. */
export type EventsByName<Events extends NamedEvents> = { readonly [Name in keyof Events]: z.output<Events[Name]> }

type Shape = {
  /** `<area>.<verbNoun>`; becomes the OpenAPI operationId. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** OpenAPI style: /workers/{worker_id}. */
  readonly path: string
  /** Required on purpose: a contract that omits it does not compile. */
  readonly access: Access
  /** The route answers whether the key is right: after 10 wrong ones of an address in 60 s it answers 429. */
  readonly isSignIn?: true
  /** The route changes nothing but the sign-in of its sender, so a person who only listens may use it. */
  readonly forReaders?: true
  /** The route answers with a page that a link on another site may lead to. It changes nothing but the sign-in of its sender. */
  readonly opensPage?: true
  /** A GET uses something up, so HEAD, which programs send to look at a link, is refused. */
  readonly isForOneUse?: true
  /** The route concerns one object, which a parameter of the path names: only the client that made it and the owner reach it. */
  readonly of?: { readonly kind: MadeKind; readonly param: string }
  /** One line for the API reference. */
  readonly summary: string
  /** The route is not part of the specification (`test/architecture/routes.json`). */
  readonly extension?: true
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** The JSON body, or the text fields of the form when `form` is present. */
  readonly body?: z.ZodType
  /** Names of the file fields of a multipart form. Its files are never kept in memory: the contract is `spooled` or `spooledFilm`. */
  readonly form?: readonly string[]
  /** Fields of `form` that a client may leave out. */
  readonly mayOmit?: readonly string[]
  /** The files of the form are streamed to disk and arrive as `uploads`. */
  readonly spooled?: boolean
  /** The largest file of a form whose handler reads it whole, in bytes; it counts as a large body. Default: what the disk of uploads allows. */
  readonly fileBytes?: number
  /** Same as `spooled`, for films and models: up to 50 GB, in disk space of their own, and hashed while they arrive. */
  readonly spooledFilm?: true
  /** The body is a form without files, in either encoding of a form; JSON is accepted, too. */
  readonly isPlainForm?: true
  /** The answer depends on the agent of this machine, so a request waits while that starts, for ten seconds at most. */
  readonly waitsForLocal?: true
  /** Request headers that the handler reads. */
  readonly reads?: readonly RequestHeader[]
  /** Response headers of this route, beside those of every route. In development another one is a fault. */
  readonly sends?: readonly ResponseHeader[]
  /** Answers of this route that others do not have, by status, such as a refusal with a body of its own; null for one without a body. */
  readonly alsoAnswers?: Readonly<Record<number, { readonly media: string; readonly reply: z.ZodType } | null>>
  /** One event of a stream, or one line of JSON lines, as JSON. By name for events that have one: the data of each. */
  readonly events?: z.ZodType | NamedEvents
  /** The largest JSON body in bytes. Default 1 MiB. */
  readonly bodyBytes?: number
  /** The most values in a JSON body, at any depth. Default 500,000: to look at a million of them takes a second. */
  readonly bodyValues?: number
}
/** A route that answers with JSON of one shape. `status` defaults to 200. */
export type JsonContract = Shape & { readonly reply: z.ZodType; readonly status?: number; readonly media?: undefined }
/** A route that answers with bytes: audio, a file, a stream of lines. `media` lists the possible media types; none for no body. */
export type MediaContract = Shape & { readonly media: readonly string[]; readonly reply?: undefined; readonly status?: number }
export type Contract = JsonContract | MediaContract

/** The contract of a WebSocket: plain data, too. */
export type SocketContract = {
  readonly id: string
  readonly path: string
  readonly access: Access
  readonly summary: string
  /** Messages of clients are ignored, so a person who only listens may connect. */
  readonly forReaders?: true
  /** Description of its messages, in both directions. */
  readonly messages: string
  /** One text message of the studio, as JSON. */
  readonly frames?: z.ZodType
  readonly query?: z.ZodType
}

/** Checks a contract at compile time and keeps its exact type, from which `handle` derives the types of input and reply. */
export const contract = <const C extends Contract>(row: C): C => row
