# SPDX-License-Identifier: Apache-2.0
# fish completion for navsyncctl: made by 'navsyncctl completion'; do not edit
complete -c navsyncctl -f
set -l commands push pull list rm watch show append pop status encode decode inspect bench completion help
complete -c navsyncctl -l socket -x -d 'the daemon\'s socket: a path, unix:PATH or tcp:HOST:PORT (else NAVSYNC_SOCKET, then the user\'s daemon, then the system\'s)'
complete -c navsyncctl -l timeout -x -d 'how long one call to the daemon may take (5)'
complete -c navsyncctl -l color -x -a 'auto always never' -d 'colour the words error and hint: auto, always or never (auto: on a terminal, unless NO_COLOR is set)'
complete -c navsyncctl -l help -s h -d 'explain the command and do nothing'
complete -c navsyncctl -l version -s V -d 'print the version and do nothing'
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a push -d 'write a path to a stack'
complete -c navsyncctl -n "__fish_seen_subcommand_from push" -l expect -x -d 'write only if the stack still has STAMP (see pull --meta), or only if there is none: \'none\''
complete -c navsyncctl -n "__fish_seen_subcommand_from push" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from push" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "__fish_seen_subcommand_from push" -F
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a pull -d 'read the path of a stack'
complete -c navsyncctl -n "__fish_seen_subcommand_from pull" -l output -s o -r -F -d 'write to FILE, which is not touched when the command fails'
complete -c navsyncctl -n "__fish_seen_subcommand_from pull" -l json -d 'the path as SwiftUI\'s JSON (what is written when nothing is asked for)'
complete -c navsyncctl -n "__fish_seen_subcommand_from pull" -l envelope -d 'the path as it is stored: an envelope'
complete -c navsyncctl -n "__fish_seen_subcommand_from pull" -l meta -d 'also the stamp, the origin and the size'
complete -c navsyncctl -n "__fish_seen_subcommand_from pull" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a list -d 'list stacks'
complete -c navsyncctl -n "__fish_seen_subcommand_from list" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from list" -l names -d 'only the names, one a line'
complete -c navsyncctl -n "__fish_seen_subcommand_from list" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a rm -d 'remove a stack, here and on every peer'
complete -c navsyncctl -n "__fish_seen_subcommand_from rm" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from rm" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a watch -d 'print each change of a stack as it happens'
complete -c navsyncctl -n "__fish_seen_subcommand_from watch" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from watch" -l all -d 'first show the stacks that are there'
complete -c navsyncctl -n "__fish_seen_subcommand_from watch" -l count -s n -x -d 'end after so many changes'
complete -c navsyncctl -n "__fish_seen_subcommand_from watch" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a show -d 'show a stack\'s path, one element a line'
complete -c navsyncctl -n "__fish_seen_subcommand_from show" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from show" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a append -d 'put an element on top of a stack\'s path'
complete -c navsyncctl -n "__fish_seen_subcommand_from append" -l expect -x -d 'change only the stack that still has STAMP (see pull --meta)'
complete -c navsyncctl -n "__fish_seen_subcommand_from append" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from append" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "__fish_seen_subcommand_from append" -a ''
complete -c navsyncctl -n "__fish_seen_subcommand_from append" -F
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a pop -d 'take elements from the top of a stack\'s path'
complete -c navsyncctl -n "__fish_seen_subcommand_from pop" -l count -s n -x -d 'how many to take (1)'
complete -c navsyncctl -n "__fish_seen_subcommand_from pop" -l expect -x -d 'change only the stack that still has STAMP (see pull --meta)'
complete -c navsyncctl -n "__fish_seen_subcommand_from pop" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from pop" -a "(navsyncctl --timeout 0.5 list --names 2>/dev/null)"
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a status -d 'show how the daemon and its links are'
complete -c navsyncctl -n "__fish_seen_subcommand_from status" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a encode -d 'turn an app\'s path JSON into an envelope'
complete -c navsyncctl -n "__fish_seen_subcommand_from encode" -l output -s o -r -F -d 'write to FILE, which is not touched when the command fails'
complete -c navsyncctl -n "__fish_seen_subcommand_from encode" -l from -x -a 'swiftui backport flowpath crossui plain' -d 'the form of the JSON; without it the content tells, except that a plain array must be named'
complete -c navsyncctl -n "__fish_seen_subcommand_from encode" -l tag -x -d 'with --from plain: the name of the type of its elements'
complete -c navsyncctl -n "__fish_seen_subcommand_from encode" -F
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a decode -d 'turn an envelope into SwiftUI\'s path JSON'
complete -c navsyncctl -n "__fish_seen_subcommand_from decode" -l output -s o -r -F -d 'write to FILE, which is not touched when the command fails'
complete -c navsyncctl -n "__fish_seen_subcommand_from decode" -l module -x -d 'write the module NEW in place of OLD in tags: an app\'s builds are often modules of different names'
complete -c navsyncctl -n "__fish_seen_subcommand_from decode" -l to -x -a 'swiftui crossui' -d 'the form to write: SwiftUI\'s unless given, or swift-cross-ui\'s'
complete -c navsyncctl -n "__fish_seen_subcommand_from decode" -F
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a inspect -d 'explain an envelope part by part'
complete -c navsyncctl -n "__fish_seen_subcommand_from inspect" -l json -d 'answer as JSON; later versions only add fields'
complete -c navsyncctl -n "__fish_seen_subcommand_from inspect" -F
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a bench -d 'measure a running daemon over its own socket'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l op -x -a 'push pull sync' -d 'what to measure (push)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l size -x -d 'bytes of each envelope (300)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l connections -x -d 'connections (1)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l depth -x -d 'requests in flight on each connection (1)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l count -s n -x -d 'requests in all (10000)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l stacks -x -d 'different stacks, chosen at random (1000)'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l to -x -d 'with sync: the daemon whose watcher waits'
complete -c navsyncctl -n "__fish_seen_subcommand_from bench" -l gap -x -d 'with sync: rest between two pushes (500)'
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a completion -d 'print the completion script of a shell'
complete -c navsyncctl -n "__fish_seen_subcommand_from completion" -a 'bash zsh fish'
complete -c navsyncctl -n "not __fish_seen_subcommand_from $commands" -a help -d 'explain the program or one command'
complete -c navsyncctl -n "__fish_seen_subcommand_from help" -a "$commands"
