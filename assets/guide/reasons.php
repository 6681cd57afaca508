<?php
require 'client.php';

$wanted = ['refunded', 'charged_back', 'canceled'];
$after = is_file('reasons.txt') ? file_get_contents('reasons.txt') : '0';
do {
    $kinds = 'transaction,recurring_payment';
    [, , $body] = get("/ledger/v1/changes?kinds=$kinds&after=$after&limit=1000");
    foreach ($body['results'] as $change) {
        $shown = $change[$change['kind']];
        foreach (array_intersect($change['reasons'] ?? [], $wanted) as $reason) {
            // Act here, so that it does no harm if the same reason comes twice.
            echo $reason, ' ', $shown['transaction_id'] ?? $shown['preKey'], "\n";
        }
    }
    $after = $body['meta']['cursor'];
    file_put_contents('reasons.txt', $after);
} while ($body['meta']['has_more']);
