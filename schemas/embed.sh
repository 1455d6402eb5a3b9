#!/bin/sh
# Writes the schemas and resource types of this directory into the Swift source that builds them into the binary.
# Run it after a change here; a test holds the source equal to this directory.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"
output=../Sources/SCIMCore/Schema/BuiltIn/BuiltInDocuments.swift
written=
{
  echo '// swift-format-ignore-file'
  echo '// Made by schemas/embed.sh from the documents in schemas/. Change those, not this.'
  echo
  echo 'extension BuiltInSchemas {'
  echo '  /// The documents by their path below schemas/.'
  echo '  static let texts: [(name: String, text: String)] = ['
  # The order in which /Schemas and /ResourceTypes list them: what every client looks for comes first.
  first='User.json Group.json EnterpriseUser.json types/User.json types/Group.json types/Role.json'
  for file in $first $(ls -- *.json types/*.json); do
    case " $written " in *" $file "*) continue ;; esac
    written="$written $file"
    printf '    ("%s", #"""\n' "$file"
    cat "$file"
    printf '\n"""#),\n'
  done
  echo '  ]'
  echo
  echo '  /// Those that an organisation has only where it asks for them.'
  echo '  static let optionalTexts: [(name: String, text: String)] = ['
  for file in optional/*.json; do
    printf '    ("%s", #"""\n' "$file"
    cat "$file"
    printf '\n"""#),\n'
  done
  echo '  ]'
  echo
  echo '  /// The schemas of the discovery documents themselves.'
  echo '  static let discoveryTexts: [(name: String, text: String)] = ['
  for file in discovery/*.json; do
    printf '    ("%s", #"""\n' "$file"
    cat "$file"
    printf '\n"""#),\n'
  done
  echo '  ]'
  echo '}'
} >"$output.new"
mv "$output.new" "$output"
