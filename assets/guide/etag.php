<?php
require 'client.php';

$path = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-30';
[$status, $headers, $kept] = get($path);
echo "$status {$kept['meta']['total_count']}\n";

[$status, , $body] = get($path, ["If-None-Match: {$headers['etag']}"]);
$body ??= $kept;
echo "$status {$body['meta']['total_count']}\n";
