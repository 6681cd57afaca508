import { defineScript, type CommandParser } from '@redis/client';

/**
 * Reads and writes the windows of one length, which one key holds as WindowCells does: the end of
 * the current window, by the clock of Redis in milliseconds, then the requests in it and in each
 * later window. The key expires with the last window.
 */
const WINDOWS = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

  local function read(key, length)
    local windows = {key = key, length = length, ends = now + length, used = {0}}
    local kept = redis.call('GET', key)
    if not kept then return windows end
    local numbers = {}
    for number in string.gmatch(kept, '%d+') do table.insert(numbers, tonumber(number)) end
    local ends = table.remove(numbers, 1)
    while ends <= now and #numbers > 1 do
      table.remove(numbers, 1)
      ends = ends + length
    end
    if ends > now then windows.ends, windows.used = ends, numbers end
    return windows
  end

  local function cell(windows, at)
    return math.floor((at - windows.ends) / windows.length) + 2
  end

  local function write(windows)
    local last = windows.ends + (#windows.used - 1) * windows.length
    local text = string.format('%.0f ', windows.ends) .. table.concat(windows.used, ' ')
    redis.call('SET', windows.key, text, 'PX', string.format('%.0f', last - now))
  end
`;

/**
 * Counts a request. ARGV holds count, maximum wait, then requests and milliseconds of each window.
 */
const TAKE_SCRIPT = `${WINDOWS}
  local count = tonumber(ARGV[1])
  local all, limits = {}, {}
  for i = 1, #KEYS do
    all[i] = read(KEYS[i], tonumber(ARGV[2 * i + 2]))
    limits[i] = tonumber(ARGV[2 * i + 1])
  end

  local function first_free(i, at)
    local windows = all[i]
    local index = cell(windows, at)
    if (windows.used[index] or 0) < limits[i] then return at end
    while (windows.used[index] or 0) >= limits[i] do index = index + 1 end
    return windows.ends + (index - 2) * windows.length
  end

  local at = now
  repeat
    local from = at
    for i = 1, #KEYS do at = first_free(i, at) end
  until at == from

  local wait = at - now
  local allowed = count == 0 or wait <= tonumber(ARGV[2])
  local reply = {allowed and 1 or 0, wait, at}
  for i = 1, #KEYS do
    local windows = all[i]
    if allowed and count == 1 then
      local index = cell(windows, at)
      while #windows.used < index do table.insert(windows.used, 0) end
      windows.used[index] = windows.used[index] + 1
      write(windows)
    end
    local resets = windows.ends
    if windows.used[1] >= limits[i] then resets = first_free(i, now) end
    table.insert(reply, windows.used[1])
    table.insert(reply, resets - now)
  end
  return reply`;

/**
 * Frees a reserved place. ARGV holds the time of the place, then the milliseconds of each window.
 */
const RELEASE_SCRIPT = `${WINDOWS}
  local at = tonumber(ARGV[1])
  for i = 1, #KEYS do
    local windows = read(KEYS[i], tonumber(ARGV[i + 1]))
    local index = cell(windows, at)
    if (windows.used[index] or 0) > 0 then
      windows.used[index] = windows.used[index] - 1
      write(windows)
    end
  end
  return 1`;

/** The scripts of the client. Redis runs each script atomically. */
export const SCRIPTS = { take: scriptOf(TAKE_SCRIPT), release: scriptOf(RELEASE_SCRIPT) };

function scriptOf(text: string) {
  return defineScript({
    SCRIPT: text,
    parseCommand(parser: CommandParser, keys: readonly string[], values: readonly number[]): void {
      parser.push(String(keys.length));
      for (const key of keys) parser.pushKey(key);
      for (const value of values) parser.push(String(value));
    },
    transformReply: (reply: unknown): unknown => reply,
  });
}
