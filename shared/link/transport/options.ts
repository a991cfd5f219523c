// The settings of the transport, one place for both ends. Each was measured or argued for; the library's defaults are for public servers.
import { subscribe } from 'node:diagnostics_channel'
import type { ServerHttp2Session } from 'node:http2'
import tls from 'node:tls'
import type { ChannelOptions } from '@grpc/grpc-js'

/** The largest message, in either direction. */
export const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

const KIB = 1024
/** How much of one stream may be under way unread. */
const STREAM_WINDOW_BYTES = 1024 * KIB
const CONNECTION_WINDOW_BYTES = 8 * 1024 * KIB

const COMMON = {
  'grpc.max_receive_message_length': MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': MESSAGE_LIMIT_BYTES,
  // Keepalives only clear dead sockets; whether a peer lives is judged by its snapshots.
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.enable_channelz': 0,
} as const satisfies ChannelOptions

export const SERVER_OPTIONS = { ...COMMON, 'grpc.max_concurrent_streams': 4096 } as const satisfies ChannelOptions

export const CHANNEL_OPTIONS = {
  ...COMMON,
  // Without a pool of its own, two links of one process could share a connection.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.client_idle_timeout_ms': 2_147_483_647,
  'grpc-node.flow_control_window': STREAM_WINDOW_BYTES,
} as const satisfies ChannelOptions

/** No older TLS anywhere in this process, also where a library leaves no choice. Called first by both programs. */
export function requireTls13(): void {
  tls.DEFAULT_MIN_VERSION = 'TLSv1.3'
}

const widened = new WeakSet<ServerHttp2Session>()
let watching = false
/** grpc-js has no option for the receive windows of its servers, and 64 KiB make a distant sender wait. Node announces every stream with its session. */
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
