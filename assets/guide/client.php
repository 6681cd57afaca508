<?php
const MOST_TRIES = 6;

/** Writes the body to a file and returns status and headers, or throws the reason that the service gave. */
function request(string $path, array $headers, $file): array
{
    for ($tried = 1; ; $tried++) {
        $received = [];
        $curl = curl_init(getenv('BASE_URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_USERPWD => getenv('API_KEY') . ':x',
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_WRITEFUNCTION => fn ($curl, $bytes) => fwrite($file, $bytes),
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$received) {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if (!curl_exec($curl)) {
            throw new RuntimeException(curl_error($curl));
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $wait = (int) ($received['retry-after'] ?? 0);
        if ($wait === 0 || $tried === MOST_TRIES) {
            break;
        }
        fwrite(STDERR, "$status: waiting $wait s\n");
        sleep($wait);
        ftruncate($file, 0);
        rewind($file);
    }
    if ($status >= 400) {
        $reason = bodyOf($file)['meta']['status'];
        throw new RuntimeException("{$reason['code']} {$reason['message']}: {$reason['detail']}");
    }
    return [$status, $received];
}

/** Returns status, headers and body, with the body as parsed JSON. */
function get(string $path, array $headers = []): array
{
    $file = fopen('php://temp', 'w+');
    [$status, $received] = request($path, $headers, $file);
    return [$status, $received, bodyOf($file)];
}

function bodyOf($file): ?array
{
    rewind($file);
    return json_decode(stream_get_contents($file), true);
}
