// The facts about the sender of a request that access is decided from: its connection and its headers.

import type { PersonSender } from '#control-plane/clients/client.ts'
import type { PersonRole } from '#shared/protocol/access/person.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>
/** The connection of a request; a `net.Socket` is one. */
export type PeerConnection = {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
}
export type Caller = {
  readonly connection: PeerConnection
  readonly method: string
  readonly headers: Headers
  /** The query of a WebSocket handshake: a browser cannot add headers there, so its credential is a ticket for this path. */
  readonly ticket?: { readonly text: string; readonly path: string }
  /** The PIN of the query. Undefined for WebSockets, which a PIN does not open. */
  readonly pin?: string | undefined
  /** A WebSocket handshake. */
  readonly isSocket?: true
  /** The request opens a page. A link on another site may lead to it. */
  readonly opensPage?: boolean
  /** The route answers whether the key is right, and nothing else. */
  readonly isSignIn?: boolean
  /** The request makes and changes nothing in the studio, so a person who only listens may send it. */
  readonly isReading?: boolean
}

/**
 * loopback: the studio's own user (or root) on this machine. local_user: another user of this machine. trusted_network: an address of
 * STUDIO_TRUSTED_NETWORKS. pin: the PIN of the shared port. api_key, admin_session: the API key or a sign-in, from another machine. listen, create,
 * operate, own: the role of a person whose key or sign-in came with the request, from anywhere.
 */
export type PrincipalName = 'anonymous' | 'local_user' | 'trusted_network' | 'pin' | 'api_key' | 'admin_session' | 'loopback' | PersonRole
export type Transport = 'cookie' | 'bearer'
export type SignIn = {
  readonly transport: Transport
  /** Aborts at the sign-out, at the expiry, when newer ones have displaced it, and when the key or the identity of its person ends. */
  readonly ended: AbortSignal
  /** Null for one with the API key. */
  readonly person: PersonSender | null
}

/** The sender of a request as the gate has established it. */
export type Principal = {
  /** Address of the other end of the connection, which may be a proxy. */
  readonly address: string
  /** The proof that was sent and is valid; null without one. */
  readonly credential: 'key' | 'person-key' | 'sign-in' | 'pin' | null
  /** The row of the table of rights. For a sender on this machine whose user was not looked up, `loopback`. */
  readonly name: PrincipalName
  readonly signIn: SignIn | null
  /** The person whose key or sign-in was sent. */
  readonly person: PersonSender | null
  /** Aborts when the credential ends, and with it what it opened; null for one that does not. */
  readonly ended: AbortSignal | null
  /** The id of the device that sent a token for the PIN; null for any other proof. */
  readonly device: string | null
  /** True if `consume` routes answer. */
  readonly mayConsume: boolean
  /** True if `admin` routes answer. */
  readonly mayAdminister: () => Promise<boolean>
  /** True if `own` routes answer. */
  readonly mayOwn: () => Promise<boolean>
  /** True if `native` routes answer: the sender may name files of this machine. */
  readonly mayNameFiles: () => Promise<boolean>
  /** True if the request came in on the shared port, where a PIN is asked for. */
  readonly isShared: boolean
  /** The device sent the right PIN: the response stores this token in its cookie. */
  readonly pinToken: string | null
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** Headers by which a proxy says that the request began elsewhere. Programs of this machine have no reason to send them. */
export const isForwarded = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => name === 'forwarded' || name === 'via' || name === 'x-real-ip' || name.startsWith('x-forwarded-'))

/** Programs disagree about which of several Host headers counts, so RFC 9112 demands a refusal. `rawHeaders`: names and values in turn. */
export const hasSeveralHosts = (rawHeaders: readonly string[]): boolean =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1

/** The first value of a repeated header. */
export const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** The bearer token of a request; undefined without one. The name of the scheme has no case. */
export const bearerOf = (headers: Headers): string | undefined => /^Bearer (.+)$/i.exec(one(headers['authorization']) ?? '')?.[1]

/** The value of the first cookie with this name. */
export function cookieOf(headers: Headers, name: string): string | undefined {
  for (const part of (one(headers['cookie']) ?? '').split(';')) {
    const [key = '', ...value] = part.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return undefined
}
