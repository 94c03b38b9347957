# An agent so small that a thousand of them fit beside the server: a few megabytes each, asleep between updates. Its
# argument is a blank unit; the prompt is a TrickleOrder as JSON.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep);

my ($unit) = @ARGV;
my $session = "trickle-$$";

# Microseconds of the machine's monotonic clock, which all processes share.
sub now { return int(clock_gettime(CLOCK_MONOTONIC) * 1e6) }

sub put {
    my ($bytes) = @_;
    for (my $at = 0; $at < length $bytes;) {
        $at += syswrite(STDOUT, $bytes, length($bytes) - $at, $at) // die "cannot write: $!";
    }
}

sub answer {
    my ($id, $result) = @_;
    put(qq({"jsonrpc":"2.0","id":$id,"result":$result}\n));
}

# Update n is due at a fixed time, so that a late update does not delay the others.
sub trickle {
    my ($count, $rate, $start) = @_;
    my $first = now() > $start ? now() : $start;
    for my $n (0 .. $count - 1) {
        my $early = $first + $n * 1e6 / $rate - now();
        sleep($early / 1e6) if $early > 0;
        substr($unit, 0, 8) = sprintf("%08d", $n);
        substr($unit, 9, 16) = sprintf("%016d", now());
        put(qq({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"$session","update":)
            . qq({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"$unit"}}}}\n));
    }
}

while (my $line = <STDIN>) {
    my ($id) = $line =~ /"id":("[^"]*"|\d+)/ or next;
    my ($method) = $line =~ /"method":"([^"]+)"/ or next;
    if ($method eq "initialize") {
        answer($id, '{"protocolVersion":1,"agentCapabilities":{}}');
    } elsif ($method eq "session/new") {
        answer($id, qq({"sessionId":"$session"}));
    } elsif ($method eq "session/prompt") {
        my ($count, $rate, $start) = map { $line =~ /\\"$_\\":([\d.]+)/ ? $1 : 0 } qw(count rate start);
        trickle($count, $rate, $start);
        answer($id, '{"stopReason":"end_turn"}');
    }
}
