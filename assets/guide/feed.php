<?php
require 'client.php';

$place = is_file('place.txt') ? file_get_contents('place.txt') : '';
while (true) {
    [, $headers, $body] = get('/v2.0/latest-transactions/' . rawurlencode($place));
    if (($headers['x-paykey'] ?? '') === 'unknown') {
        fwrite(STDERR, "The place is unknown: from the start.\n");
    }
    if ($body['results'] === []) {
        break;
    }
    foreach ($body['results'] as $sale) {
        echo "{$sale['date']} {$sale['transaction_id']} {$sale['price']}\n";
    }
    $place = end($body['results'])['transaction_id'];
    file_put_contents('place.txt', $place);
}
