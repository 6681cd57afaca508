/** A log line in production, in the format of Nest's own lines. */
export function jsonLogLine(context: string, message: object): string {
  const fields = { level: 'log', pid: process.pid, timestamp: Date.now(), context };
  return `${JSON.stringify({ ...fields, message })}\n`;
}
