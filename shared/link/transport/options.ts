// The transport settings of both ends. The library's defaults are meant for public servers.
import tls from 'node:tls'
import type { ChannelOptions } from '@grpc/grpc-js'
import { STREAM_WINDOW_BYTES } from './session-limits.ts'

/** The largest message, in either direction. */
export const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024

const BOTH_ENDS = {
  'grpc.max_receive_message_length': MESSAGE_LIMIT_BYTES,
  'grpc.max_send_message_length': MESSAGE_LIMIT_BYTES,
  // Keepalives only clean up dead sockets; snapshots decide whether a peer is alive.
  'grpc.keepalive_time_ms': 20_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.enable_channelz': 0,
} as const satisfies ChannelOptions

/** An agent's end of a session. Its received bytes have a budget, see session-limits.ts. */
export const SERVER_OPTIONS = { ...BOTH_ENDS, 'grpc.max_concurrent_streams': 1024 } as const satisfies ChannelOptions

/** Unauthenticated callers: one small request, and its answer. A larger message is refused when its length arrives. */
export const ENROLMENT_OPTIONS = {
  ...BOTH_ENDS,
  'grpc.max_receive_message_length': 12 * 1024,
  'grpc.max_concurrent_streams': 4,
  // MiB, for headers and unsent answers.
  'grpc-node.max_session_memory': 1,
} as const satisfies ChannelOptions

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
