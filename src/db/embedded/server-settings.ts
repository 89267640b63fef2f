/** Returns the settings of the server. Later entries override earlier ones. */
export function serverSettings(
  durable: boolean,
  extra: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  return new Map([
    ['listen_addresses', '127.0.0.1'],
    ['unix_socket_directories', ''],
    ['cluster_name', `canvass-${process.pid}`],
    ['max_connections', '60'],
    ['shared_buffers', '256MB'],
    ['jit', 'off'],
    ['timezone', 'UTC'],
    ['log_timezone', 'UTC'],
    // Failed statements are logged by the application. They contain personal data, which must not be in the log of the server.
    ['log_destination', 'stderr'],
    ['logging_collector', 'off'],
    ['log_checkpoints', 'off'],
    ['log_min_messages', 'log'],
    ['log_min_error_statement', 'panic'],
    ['log_error_verbosity', 'terse'],
    ...clientCheck,
    ...(durable ? [] : notDurable),
    ...Object.entries(extra),
  ]);
}

/** Cancels queries whose client has disconnected. Windows does not support this setting. */
const clientCheck: [string, string][] =
  process.platform === 'win32' ? [] : [['client_connection_check_interval', '2s']];

/** For tests only: a power failure may lose or damage all data. */
const notDurable: [string, string][] = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
];
