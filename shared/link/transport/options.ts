// The transport settings of both ends. The library's defaults are meant for public servers.
import { subscribe } from 'node:diagnostics_channel'
import type { ServerHttp2Session } from 'node:http2'
import tls from 'node:tls'
import type { ChannelOptions } from '@grpc/grpc-js'

/** The largest message, in either direction. */
export const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

const KIB = 1024
/** Unread bytes of one stream. */
const STREAM_WINDOW_BYTES = 1024 * KIB
const CONNECTION_WINDOW_BYTES = 8 * 1024 * KIB

const BOTH_ENDS = {
  'grpc.max_receive_message_length': MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': MESSAGE_LIMIT_BYTES,
  // Keepalives only clean up dead sockets; snapshots decide whether a peer is alive.
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.enable_channelz': 0,
} as const satisfies ChannelOptions

export const SERVER_OPTIONS = { ...BOTH_ENDS, 'grpc.max_concurrent_streams': 4096 } as const satisfies ChannelOptions

export const CHANNEL_OPTIONS = {
  ...BOTH_ENDS,
  // Without a pool of its own, two links of one process could share a connection.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.client_idle_timeout_ms': 2_147_483_647,
  'grpc-node.flow_control_window': STREAM_WINDOW_BYTES,
} as const satisfies ChannelOptions

/** Requires TLS 1.3 in the whole process, also where a library has no option for it. Both programs call it first. */
export function requireTls13(): void {
  tls.DEFAULT_MIN_VERSION = 'TLSv1.3'
}

const widened = new WeakSet<ServerHttp2Session>()
let watching = false
/** grpc-js has no option for the receive windows of its servers, and 64 KiB slow a distant sender down. Node publishes every stream with its session. */
export function widenServerWindows(): void {
  if (watching) return
  watching = true
  subscribe('http2.server.stream.created', (message) => {
    const { session } = (message as { stream: { session?: ServerHttp2Session } }).stream
    if (!session || session.destroyed || widened.has(session)) return
    widened.add(session)
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES)
    session.settings({ initialWindowSize: STREAM_WINDOW_BYTES })
  })
}
