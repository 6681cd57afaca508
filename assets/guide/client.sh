# get PATH [FURTHER CURL OPTIONS] prints the answer, or fails and prints the reason.
# With --retry, curl waits for the time in Retry-After, at most five times.
get() {
  path=$1
  shift
  body=$(mktemp)
  curl --no-progress-meter --fail-with-body --retry 5 \
    -u "$API_KEY:x" -o "$body" "$@" "$BASE_URL$path"
  result=$?
  if [ $result -eq 0 ]; then
    cat "$body"
  else
    jq -r '.meta.status | "\(.code) \(.message): \(.detail)"' "$body" >&2
  fi
  rm "$body"
  return $result
}
