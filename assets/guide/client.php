<?php
const MOST_TRIES = 6;

/** Returns status, headers and body, or throws the reason that the service gave. */
function get(string $path, array $headers = []): array
{
    for ($tried = 1; ; $tried++) {
        $received = [];
        $curl = curl_init(getenv('BASE_URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_USERPWD => getenv('API_KEY') . ':x',
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => function ($curl, $line) use (&$received) {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        if ($text === false) {
            throw new RuntimeException(curl_error($curl));
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $wait = (int) ($received['retry-after'] ?? 0);
        if ($wait === 0 || $tried === MOST_TRIES) {
            break;
        }
        fwrite(STDERR, "$status: waiting $wait s\n");
        sleep($wait);
    }
    $body = json_decode($text, true);
    if ($status >= 400) {
        $reason = $body['meta']['status'];
        throw new RuntimeException("{$reason['code']} {$reason['message']}: {$reason['detail']}");
    }
    return [$status, $received, $body];
}
