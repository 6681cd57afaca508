<?php
require 'client.php';

$cursor = is_file('cursor.txt') ? file_get_contents('cursor.txt') : '0';
do {
    [, , $body] = get("/ledger/v1/changes?after=$cursor&limit=1000");
    foreach ($body['results'] as $change) {
        $kind = $change['kind'];
        // Store it under its kind and key here, and replace the older version.
        echo "$kind ", json_encode($change[$kind]), "\n";
    }
    $cursor = $body['meta']['cursor'];
    file_put_contents('cursor.txt', $cursor);
} while ($body['meta']['has_more']);
