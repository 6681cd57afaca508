/** Formats a log line for production, like the lines of Nest. */
export function jsonLogLine(context: string, message: object): string {
  const fields = { level: 'log', pid: process.pid, timestamp: Date.now(), context };
  return `${JSON.stringify({ ...fields, message })}\n`;
}
