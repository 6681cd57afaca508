/** A line of the log in production, in the shape that Nest gives its own. */
export function jsonLogLine(context: string, message: object): string {
  const around = { level: 'log', pid: process.pid, timestamp: Date.now(), context };
  return `${JSON.stringify({ ...around, message })}\n`;
}
