// The caller's side of enrolment. It sends the secret only to a server that has proven the pinned authority, over a connection that trusts only that authority.

import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { Client, credentials, type MethodDefinition } from '@grpc/grpc-js'
import { inspectDates, inspectLeaf, namesSubject, type Role } from '#shared/pki/inspect.ts'
import { pinOf, samePin } from '#shared/pki/pin.ts'
import { readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ENROLMENT_CODES } from '#shared/protocol/fields/peer-codes.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { IdentityMessage } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { enrolmentCodecs } from '../rpc.ts'
import { type Address, connectTo, formatAddress } from '../transport/address.ts'
import { CHANNEL_OPTIONS, requireTls13 } from '../transport/options.ts'
import { failureOfGrpc } from '../transport/status.ts'
import { renewalName } from './preamble.ts'

/** The direction of an enrolment: a studio certifies its workers, a listening machine certifies its controllers. */
export type Issuer = { readonly server: { readonly role: Role; readonly id: string }; readonly issues: Role }
export const BY_STUDIO: Issuer = { server: { role: 'studio', id: 'studio' }, issues: 'worker' }
export const BY_MACHINE: Issuer = { server: { role: 'worker', id: 'machine' }, issues: 'studio' }

/** The name in the TLS handshake. The certificate is checked by its subject and its pin instead. */
const SERVER_NAME = 'studio'
/** The leaf, the authority, the authority cross-signed by its predecessor, and the predecessor. */
const MAX_CHAIN = 4

/** The issued identity, the pin of the key that the server proved meanwhile, and where it did. The answer itself is only a claim. */
export type Issued = Wire<'Identity'> & { readonly server_pin: string; readonly server_address: Address }

export type EnrolOptions = {
  readonly clock: Clock
  /** Timeout of each step at each address. */
  readonly timeoutMs: number
  readonly issuer?: Issuer
  /** An abort ends the call at once with WORKER_UNREACHABLE. The server may have answered already, as when an answer is lost. */
  readonly signal?: AbortSignal
}

/**
 * Tries the addresses in order until one is the studio with a pinned authority. Rejects with AUTH_FAILED when an address has another key, with
 * NOT_READY while its certificates are not valid by the clock of this machine, with WORKER_UNREACHABLE when none answers, otherwise with the
 * refusal of the studio.
 */
export const redeem = (
  endpoints: readonly Address[],
  pins: readonly string[],
  request: Wire<'RedeemRequest'>,
  options: EnrolOptions,
): Promise<Issued> =>
  firstStudio(endpoints, options, async (address) => {
    const authority = await fetchAuthority(address, pins, options)
    return call(address, authority, 'redeem', request, options)
  })

/** Same as `redeem`, with the authority that this agent already trusts. The reason `stranger` is a finding of this side, not a refusal. */
export const renew = (
  endpoints: readonly Address[],
  authorityPem: string,
  request: Wire<'RenewRequest'>,
  options: EnrolOptions,
): Promise<Issued> =>
  firstStudio(endpoints, options, async (address) => {
    try {
      return await call(address, authorityPem, 'renew', request, options, renewalName(request.worker_id))
    } catch (error) {
      await explain(error, address, authorityPem, options)
      throw error
    }
  })

/**
 * A connection that TLS refuses because of a wrong clock looks unreachable. Throws NOT_READY if the dates of the certificates are the reason, and
 * WORKER_UNREACHABLE with the reason if no program listens there.
 */
async function explain(error: unknown, address: Address, authorityPem: string, options: EnrolOptions): Promise<void> {
  if (Failure.from(error).code !== 'WORKER_UNREACHABLE' || options.signal?.aborted) return
  try {
    await fetchAuthority(address, [pinOf(authorityPem)], options)
  } catch (found) {
    if (['NOT_READY', 'WORKER_UNREACHABLE'].includes(Failure.from(found).code)) throw found
  }
}

async function firstStudio(
  endpoints: readonly Address[],
  { signal }: EnrolOptions,
  attempt: (address: Address) => Promise<Issued>,
): Promise<Issued> {
  const unreachable: Failure[] = []
  const wrongAuthorities: Failure[] = []
  for (const address of endpoints) {
    try {
      return await attempt(address)
    } catch (error) {
      const failure = Failure.from(error)
      if (signal?.aborted) throw failure
      // On another network the same address may belong to another host, so continue with the next address.
      if (failure.code === 'WORKER_UNREACHABLE') unreachable.push(failure)
      else if ((failure.detail as { reason?: unknown } | undefined)?.reason === 'stranger') wrongAuthorities.push(failure)
      else throw failure
    }
  }
  throw wrongAuthorities[0] ?? unreachable[0] ?? new Failure('BAD_REQUEST', 'There is no address to connect to.')
}

/** Reads the certificates of the server and closes the connection without sending anything. Throws NOT_READY while they are not valid. */
async function fetchAuthority(address: Address, pins: readonly string[], options: EnrolOptions): Promise<string> {
  requireTls13()
  const raw = await connectTo(address, options)
  // Unverified on purpose: this connection only fetches the authority, which the next connection trusts because of its pin.
  const secure = tls.connect({
    socket: raw,
    servername: SERVER_NAME,
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.3',
    rejectUnauthorized: false,
  })
  const unreachable = (why: string) => new Failure('WORKER_UNREACHABLE', `${noAnswerAt(address, options)}: ${why}.`)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const cancelTimer = options.clock.after(options.timeoutMs, () => reject(unreachable('timed out')))
  const stopListening = onAbort(options.signal, () => {
    reject(unreachable('aborted'))
    secure.destroy()
  })
  secure.once('error', (error) => reject(unreachable(error.message)))
  secure.once('close', () => reject(unreachable('the connection was closed')))
  secure.once('secureConnect', () => {
    const chain = chainOf(secure.getPeerX509Certificate())
    const [leaf] = chain
    // Anybody can present the authority's certificate; only its studio also presents a leaf that it signed. The chain may also contain the
    // pinned key cross-signed by another authority, but only the self-signed certificate can be a root.
    const authority = chain.find(
      (certificate) =>
        pins.some((pin) => samePin(pin, pinOf(certificate))) &&
        certificate.verify(certificate.publicKey) &&
        leaf !== undefined &&
        vouchesFor(certificate, leaf, chain),
    )
    if (!authority) return reject(wrongAuthority(address))
    try {
      for (const certificate of [authority, leaf!]) inspectDates(certificate.toString(), options.clock.now())
      resolve(authority.toString())
    } catch (error) {
      reject(error as Failure)
    }
  })
  try {
    return await promise
  } finally {
    cancelTimer()
    stopListening()
    await endQuietly(secure, options.clock)
    raw.destroy()
  }
}

// Waits for the other side, which limits connections per address and must not count two of ours at once.
async function endQuietly(secure: tls.TLSSocket, clock: Clock): Promise<void> {
  if (secure.closed) return
  const closed = new Promise<void>((resolve) => secure.once('close', () => resolve()))
  const cancelTimer = clock.after(1_000, () => secure.destroy())
  secure.resume().end()
  await closed
  cancelTimer()
}

/** True if signatures lead from the authority to the leaf, directly or through other authorities of the chain. */
function vouchesFor(authority: X509Certificate, leaf: X509Certificate, chain: readonly X509Certificate[]): boolean {
  if (leaf.checkIssued(authority) && leaf.verify(authority.publicKey)) return true
  const between = chain.filter((one) => one !== leaf && one.ca && leaf.checkIssued(one) && leaf.verify(one.publicKey))
  const rest = chain.filter((one) => one !== leaf)
  return between.some((one) => vouchesFor(authority, one, rest))
}

function chainOf(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let next = leaf; next && chain.length < MAX_CHAIN; next = next.issuerCertificate) {
    if (chain.some((other) => other.fingerprint256 === next?.fingerprint256)) break
    chain.push(next)
  }
  return chain
}

/** One enrolment call that trusts only this authority. */
async function call<Request extends { readonly csr_pem: string }>(
  address: Address,
  authorityPem: string,
  method: 'redeem' | 'renew',
  request: Request,
  options: EnrolOptions,
  serverName = SERVER_NAME,
): Promise<Issued> {
  requireTls13()
  const { server, issues } = options.issuer ?? BY_STUDIO
  const { path, requestSerialize, responseDeserialize } = enrolmentCodecs[method] as unknown as MethodDefinition<Request, Wire<'Identity'>>
  let refusal: Failure | null = null
  let serverPin = ''
  const trust = credentials.createFromSecureContext(tls.createSecureContext({ ca: authorityPem, minVersion: 'TLSv1.3' }), {
    // Called after the handshake, in which the server proved the key of this certificate.
    checkServerIdentity: (_name, { raw }) => {
      const certificate = new X509Certificate(raw)
      serverPin = pinOf(certificate)
      if (namesSubject(certificate, server.role, server.id)) return undefined
      refusal = new Failure('AUTH_FAILED', `The certificate at ${formatAddress(address)} does not belong to a ${server.role}.`, {
        detail: { reason: 'stranger' },
      })
      return refusal
    },
  })
  const target = 'path' in address ? `unix:${address.path}` : formatAddress(address)
  const client = new Client(target, trust, { ...CHANNEL_OPTIONS, 'grpc.ssl_target_name_override': serverName })
  const answer = Promise.withResolvers<Wire<'Identity'>>()
  const pending = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, identity) =>
    error
      ? answer.reject(refusal ?? unreachableAt(address, options, failureOfGrpc(error, ENROLMENT_CODES)))
      : answer.resolve(identity as Wire<'Identity'>),
  )
  const cancelTimer = options.clock.after(options.timeoutMs, () => pending.cancel())
  const stopListening = onAbort(options.signal, () => pending.cancel())
  try {
    const identity = parseMessage(IdentityMessage, await answer.promise)
    inspectLeaf({
      certificatePem: identity.certificate_pem,
      authorityPem: identity.authority_pem,
      publicKeyPem: readRequest(request.csr_pem).publicKeyPem,
      role: issues,
      id: identity.worker_id,
      now: options.clock.now(),
    })
    return { ...identity, server_pin: serverPin, server_address: address }
  } finally {
    cancelTimer()
    stopListening()
    client.close()
  }
}

/** Returns a function that stops listening. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act()
  signal?.addEventListener('abort', act, { once: true })
  return () => signal?.removeEventListener('abort', act)
}

const wrongAuthority = (address: Address) =>
  new Failure('AUTH_FAILED', `The certificate does not match the code: ${formatAddress(address)} is not the studio that issued it.`, {
    detail: { reason: 'stranger' },
  })

const noAnswerAt = (address: Address, { issuer = BY_STUDIO }: EnrolOptions) =>
  `No ${issuer.server.role === 'studio' ? 'studio' : 'machine'} answers at ${formatAddress(address)}`

/** Turns a lost connection and a cancelled call (our own timeout) into an unreachable address. */
function unreachableAt(address: Address, options: EnrolOptions, failure: Failure): Failure {
  if (failure.code !== 'WORKER_DISCONNECTED' && failure.code !== 'CANCELLED') return failure
  return new Failure('WORKER_UNREACHABLE', `${noAnswerAt(address, options)}: ${failure.message}`, { cause: failure })
}
